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
        server.access = policy
        server.withholds = status.redact
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
