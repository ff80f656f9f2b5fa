"""Ways of measuring other programs: CPU, wall time, peak memory, wake-ups."""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time


class Cost:
    """What one run of a command took: CPU seconds, peak memory in KiB."""

    def __init__(self, command, folder=None):
        # time(1) starts the command from a small process: a child's peak counts its parent's at the fork.
        with tempfile.NamedTemporaryFile("r") as report:
            done = subprocess.run(
                ["/usr/bin/time", "-q", "-o", report.name, "-f", "%U %S %M", *command],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                cwd=folder, text=True)
            if done.returncode:
                sys.exit(f"bench: {' '.join(command)} failed: {done.stderr.strip()}")
            user, system, peak = report.read().split()
        self.cpu = float(user) + float(system)
        self.peak = int(peak)


def start_to_exit(first, second, rounds=200):
    """Median wall seconds of two commands, run in turn."""
    null = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, null, k) for k in range(3)]
    times = ([], [])
    for number in range(rounds + 5):
        for command, taken in zip((first, second), times):
            begin = time.perf_counter()
            child = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if status:
                sys.exit(f"bench: {' '.join(command)} exited with {status}")
            if number >= 5:
                taken.append(time.perf_counter() - begin)
    os.close(null)
    return [statistics.median(taken) for taken in times]


def idling(pid, seconds):
    """Threads, wake-ups a minute (voluntary context switches of all threads) and resident KiB."""

    def switches():
        total = 0
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/status") as status:
                total += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status.read(), re.M)[1])
        return total

    before = switches()
    time.sleep(seconds)
    woken = switches() - before
    with open(f"/proc/{pid}/status") as status:
        text = status.read()
    value = lambda key: int(re.search(rf"^{key}:\s+(\d+)", text, re.M)[1])
    return value("Threads"), woken * 60 / seconds, value("VmRSS")
