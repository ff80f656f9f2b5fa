import Configuration
import Glibc
import Platform
import StatusServer

extension Service {
    /// Lets the socket serve those whom the settings name.
    ///
    /// A name that is not known gives nobody a right, and is told.
    func setAccess() {
        guard let server else { return }
        let status = options.settings.settings.status
        var policy = AccessPolicy(owner: geteuid())
        policy.controllers = members(status.controllers)
        policy.readers = status.readers.isEmpty ? nil : members(status.readers)
        warnOfHidden(status.controllers + status.readers)
        server.access = policy
        server.withholds = status.redact
    }

    /// Names that say nothing of those who come, since the kernel does not tell who they are.
    private func warnOfHidden(_ names: [String]) {
        guard !ControlSocket.areAllUsersTold else { return }
        let own = ["root", "0", "\(geteuid())", "@\(getegid())"]
        let hidden = names.filter { name in
            guard !own.contains(name), let number = Service.number(of: name) else { return false }
            return number != (name.hasPrefix("@") ? getegid() : geteuid())
        }
        guard !hidden.isEmpty else { return }
        journal.write(
            .warning,
            "users of the machine are hidden from the service; use the control socket's group",
            ["names": hidden.joined(separator: " ")])
    }

    private func members(_ names: [String]) -> AccessPolicy.Members {
        var members = AccessPolicy.Members()
        for name in names {
            if let number = Service.number(of: name) {
                if name.hasPrefix("@") {
                    members.groups.insert(number)
                } else {
                    members.users.insert(number)
                }
            } else {
                journal.write(.warning, "unknown user or group", ["name": name])
            }
        }
        return members
    }

    private static func number(of name: String) -> UInt32? {
        guard name.hasPrefix("@") else {
            return UInt32(name) ?? (unsafe getpwnam(name).map { unsafe $0.pointee.pw_uid })
        }
        let group = String(name.dropFirst())
        return UInt32(group) ?? (unsafe getgrnam(group).map { unsafe $0.pointee.gr_gid })
    }
}
