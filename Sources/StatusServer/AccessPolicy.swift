public import StatusProtocol

/// Who may look and who may change, by what the kernel says of a client and by the socket it came through.
public struct AccessPolicy: Equatable, Sendable {
    /// Users and groups by their numbers.
    public struct Members: Equatable, Sendable {
        /// Users.
        public var users: Set<UInt32> = []
        /// Groups.
        public var groups: Set<UInt32> = []

        /// Nobody.
        public init() {}

        /// Those of the numbers.
        public init(users: Set<UInt32>, groups: Set<UInt32> = []) {
            self.users = users
            self.groups = groups
        }

        fileprivate func contain(_ peer: PeerCredentials, _ others: () -> [UInt32]) -> Bool {
            users.contains(peer.uid) || groups.contains(peer.gid)
                || !groups.isEmpty && others().contains { groups.contains($0) }
        }
    }

    /// Who may look; `nil` lets everybody who may open the socket.
    public var readers: Members?
    /// Who may change, and look.
    public var controllers = Members()
    /// The daemon's own user, who may do everything, as root may.
    public var owner: UInt32

    /// Everybody may look; root and the owner may change.
    public init(owner: UInt32) {
        self.owner = owner
    }

    /// What a client may do; `nil` for nothing at all.
    ///
    /// - Parameters:
    ///   - peer: who it is; `nil` when the kernel does not tell.
    ///   - groups: its groups beside the main one; asked for only when they matter.
    ///   - socketRole: what its socket gives to everybody who may open it.
    public func role(
        of peer: PeerCredentials?, groups: () -> [UInt32], through socketRole: Role
    ) -> Role? {
        if socketRole == .controller { return .controller }
        guard let peer else { return readers == nil ? .reader : nil }
        if peer.uid == 0 || peer.uid == owner || controllers.contain(peer, groups) {
            return .controller
        }
        guard let readers else { return .reader }
        return readers.contain(peer, groups) ? .reader : nil
    }
}
