#pragma once
#include <errno.h>
#include <linux/gpio.h>
#include <linux/rfkill.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// glibc shows these with _GNU_SOURCE only, which would lay out other types than Swift's Glibc has them.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
extern char **environ;

/// A descriptor that becomes readable when the child has ended; -1 with errno (pidfd_open(2), Linux 5.3).
static inline int CLinux_pidfd(pid_t child) { return (int)syscall(SYS_pidfd_open, child, 0); }

/// Starts a program in a process group of its own with no signal blocked or ignored, its input and output
/// nothing, its errors ours. Returns its process id, or a negative errno.
static inline pid_t CLinux_spawn(const char *path, char *const arguments[]) {
    posix_spawnattr_t how;
    posix_spawn_file_actions_t files;
    sigset_t none, all;
    pid_t child = -1;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(&how);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &all);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", 0 /* O_RDONLY */, 0);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", 1 /* O_WRONLY */, 0);
    posix_spawn_file_actions_addclosefrom_np(&files, 3);
    int code = posix_spawn(&child, path, &files, &how, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    return code == 0 ? child : -code;
}

/// Takes one line of a GPIO chip for output at `value`. Returns the line's descriptor, or -1 with errno.
static inline int CLinux_gpioTake(int chip, uint32_t line, int value, int activeLow) {
    struct gpio_v2_line_request request;
    memset(&request, 0, sizeof request);
    strncpy(request.consumer, "tracklogd", sizeof request.consumer - 1);
    request.offsets[0] = line;
    request.num_lines = 1;
    request.config.flags = GPIO_V2_LINE_FLAG_OUTPUT | (activeLow ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0);
    request.config.num_attrs = 1;
    request.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES;
    request.config.attrs[0].attr.values = value ? 1 : 0;
    request.config.attrs[0].mask = 1;
    return ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request) < 0 ? -1 : request.fd;
}

/// Sets a line that was taken. Returns -1 with errno.
static inline int CLinux_gpioSet(int line, int value) {
    struct gpio_v2_line_values values = {.bits = value ? 1 : 0, .mask = 1};
    return ioctl(line, GPIO_V2_LINE_SET_VALUES_IOCTL, &values);
}

/// The value of a line that was taken: 0, 1, or -1 with errno.
static inline int CLinux_gpioGet(int line) {
    struct gpio_v2_line_values values = {.bits = 0, .mask = 1};
    return ioctl(line, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) < 0 ? -1 : (int)(values.bits & 1);
}
