import Configuration
import Glibc

/// What `doctor` found at one link of the chain.
enum Finding {
    case good(String)
    case doubtful(String, remedy: String)
    case bad(String, remedy: String)
}

/// Looks at gpsd and its receivers from outside of the daemon.
struct GPSDExamination {
    let machine: Machine
    let server: HostPort
    /// The one receiver that the settings listen to; `nil` listens to all.
    let device: String?
    /// Whether the receiver is to sleep between fixes.
    let sleeps: Bool

    private static let defaults = "/etc/default/gpsd"

    /// Findings with the names of their links, in the order of the chain.
    func findings() -> [(String, Finding)] {
        let visit = GPSDVisit(server)
        var findings = [("gpsd", gpsd(visit))]
        guard isLocal else { return findings }
        if let finding = options() { findings.append(("options", finding)) }
        if visit.outcome == .answered { findings += receivers(visit) }
        return findings
    }

    private var isLocal: Bool {
        server.host == "localhost" || server.host == "::1" || server.host.hasPrefix("127.")
    }

    private var isInstalled: Bool {
        ["/usr/sbin/gpsd", "/usr/local/sbin/gpsd", "/sbin/gpsd"].contains(where: machine.exists)
    }

    private var isSocketEnabled: Bool {
        machine.exists("/etc/systemd/system/sockets.target.wants/gpsd.socket")
    }

    /// What to add where the settings look for gpsd at another port than its own.
    private var elsewhere: String {
        server.port == 2947
            ? ""
            : "; it listens at 2947 unless told otherwise, and [Source] Gpsd= names \(server.port)"
    }

    private var restart: String {
        isLocal ? "sudo systemctl restart gpsd" : "start the gpsd there anew"
    }

    private var rename: String {
        "set [Source] Gpsd= to where gpsd listens, which is port 2947 unless told otherwise"
    }

    /// Nobody speaks: a gpsd that hangs, systemd that holds its socket, or another program.
    private var silence: Finding {
        let silent = "takes connections at \(server.text) and says nothing"
        guard isLocal, machine.processes(named: "gpsd").isEmpty else {
            return .bad("\(silent): it hangs", remedy: restart)
        }
        guard isSocketEnabled, server.port == 2947 else {
            return .bad(
                "\(silent): it hangs, or is another program (no gpsd runs here)", remedy: rename)
        }
        return .bad(
            "gpsd.socket \(silent): gpsd does not start",
            remedy: "sudo systemctl restart gpsd; 'journalctl -u gpsd' says why it ended")
    }

    private func gpsd(_ visit: GPSDVisit) -> Finding {
        switch visit.outcome {
        case .answered where visit.protocolMajor != 3:
            return .doubtful(
                "\(visit.release) at \(server.text) speaks protocol \(visit.protocolMajor), not 3",
                remedy: "install a tracklog that is as new")
        case .answered: return .good("\(visit.release) at \(server.text)")
        case .greeted:
            return .doubtful(
                "\(visit.release) at \(server.text) greets and answers nothing: it hangs",
                remedy: restart)
        case .silent: return silence
        case .closed:
            return .bad(
                "takes connections at \(server.text) and closes them without a word",
                remedy: "\(restart); if it is another program, \(rename)")
        case .other(let kind):
            return .bad(
                "what answers at \(server.text) is not gpsd"
                    + (kind.map { ": \($0)" } ?? ", it speaks otherwise"),
                remedy: rename)
        case .unknownHost(let reason):
            return .bad(
                "\(server.host): \(reason)", remedy: "name the host right in [Source] Gpsd=")
        case .unreachable(let code):
            let reason = unsafe "\(server.text): \(String(cString: strerror(code)))"
            guard isLocal else {
                return .bad(reason, remedy: "start gpsd there with -G, and open the port")
            }
            if !isInstalled { return .bad("not installed", remedy: "sudo apt install gpsd") }
            if let trouble = ipv6Trouble { return trouble }
            if isSocketEnabled {
                return .bad(
                    "\(reason), though gpsd.socket is enabled",
                    remedy: "sudo systemctl start gpsd.socket\(elsewhere)")
            }
            return .bad(
                "not running, \(reason)",
                remedy: "sudo systemctl enable --now gpsd.socket\(elsewhere)")
        }
    }

    /// gpsd.socket listens on [::1] as well, and fails as a whole on a machine without IPv6.
    private var ipv6Trouble: Finding? {
        guard isSocketEnabled, (machine.text("/proc/net/if_inet6") ?? "").isEmpty else {
            return nil
        }
        let units = ["/etc/systemd/system/gpsd.socket", "/lib/systemd/system/gpsd.socket"]
        guard let unit = units.lazy.compactMap(machine.text).first, unit.contains("[::1]"),
            machine.names(in: "/etc/systemd/system/gpsd.socket.d").allSatisfy({ $0.first == "." })
        else { return nil }
        return .bad(
            "gpsd.socket cannot start: it wants [::1], and IPv6 is off",
            remedy: "sudo systemctl edit gpsd.socket, and write: [Socket], ListenStream=,"
                + " ListenStream=/run/gpsd.sock, ListenStream=127.0.0.1:2947")
    }

    /// Options that do not do what they seem to.
    private func options() -> Finding? {
        let running = machine.processes(named: "gpsd").first
        let words = running.map(machine.arguments) ?? []
        let flags = words.filter { $0.hasPrefix("-") && !$0.hasPrefix("--") }
        if sleeps, flags.contains(where: { $0.contains("n") }) || words.contains("--nowait") {
            return .doubtful(
                "gpsd runs with -n, which keeps the receiver on while nobody asks for fixes",
                remedy: "take -n out of GPSD_OPTIONS= in \(Self.defaults)")
        }
        let wanted = machine.variable("GPSD_OPTIONS", in: Self.defaults).split(separator: " ")
        let vain = wanted.first { $0.hasPrefix("-G") || $0.hasPrefix("-S") }
        if isSocketEnabled, let vain {
            return .doubtful(
                "\(vain) in \(Self.defaults) does nothing: systemd holds gpsd's socket",
                remedy: "set ListenStream= with sudo systemctl edit gpsd.socket")
        }
        return nil
    }

    private func receivers(_ visit: GPSDVisit) -> [(String, Finding)] {
        guard !visit.receivers.isEmpty else {
            let named = machine.variable("DEVICES", in: Self.defaults).split(separator: " ")
            guard let path = named.first.map(String.init) else {
                return [
                    (
                        "receiver",
                        .bad(
                            "gpsd has none",
                            remedy: "plug it in, and name it in DEVICES= of \(Self.defaults)")
                    )
                ]
            }
            let lost = Finding.bad(
                "gpsd does not have \(path), which \(Self.defaults) names",
                remedy: "sudo systemctl restart gpsd")
            return [("receiver", trouble(of: path) ?? lost)]
        }
        if let device, !visit.receivers.contains(where: { $0.path == device }) {
            let others = visit.receivers.map(\.path).joined(separator: ", ")
            let lost = Finding.bad(
                "gpsd does not have \(device), which [Source] Device= names",
                remedy: "plug it in, or name one that gpsd has: \(others)")
            return [("receiver", trouble(of: device) ?? lost)]
        }
        return visit.receivers.map { receiver in
            let driver = receiver.driver.map { ", \($0)" } ?? ""
            let state = receiver.isOpen ? "open" : "closed until somebody asks"
            return (
                "receiver",
                trouble(of: receiver.path) ?? .good("\(receiver.path)\(driver), \(state)")
            )
        }
    }

    /// Why gpsd cannot read a serial device; `nil` for one that it can, or that is none.
    private func trouble(of path: String) -> Finding? {
        guard path.hasPrefix("/dev/") else { return nil }
        guard machine.exists(path) else {
            return .bad(
                "\(path) is not there",
                remedy: "plug it in; a name below /dev/serial/by-id does not change")
        }
        let users = machine.users(of: machine.resolved(path)).filter { $0.name != "gpsd" }
        if let other = users.first(where: { $0.name == "ModemManager" }) {
            return .bad(
                "ModemManager (\(other.pid)) uses \(path)",
                remedy: "sudo systemctl disable --now ModemManager, or a udev rule that sets"
                    + " ID_MM_DEVICE_IGNORE=1")
        }
        if let other = users.first {
            return .bad(
                "\(other.name) (\(other.pid)) reads \(path) too", remedy: "stop \(other.name)")
        }
        var facts = stat()
        guard unsafe stat(machine.path(path), &facts) == 0 else { return nil }
        // Debian's gpsd runs as gpsd with the group dialout.
        let isOpenToAll = facts.st_mode & 0o006 == 0o006
        let isOpenToGroup = facts.st_mode & 0o060 == 0o060 && facts.st_gid == group("dialout")
        guard isOpenToAll || isOpenToGroup else {
            return .bad(
                "gpsd may not read \(path)",
                remedy:
                    "sudo chgrp dialout \(path); sudo chmod 660 \(path); a udev rule keeps it so")
        }
        return nil
    }

    private func group(_ name: String) -> gid_t? {
        for line in (machine.text("/etc/group") ?? "").split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count > 2, fields[0] == Substring(name) { return gid_t(fields[2]) }
        }
        return nil
    }
}
