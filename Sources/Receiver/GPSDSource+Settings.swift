public import Scheduling

extension GPSDSource {
    /// What to connect to, and its limits.
    public struct Settings: Sendable {
        /// Where gpsd listens.
        public var address = GPSDAddress(host: "localhost")
        /// The one receiver to watch; `nil` watches all.
        public var device: String?
        /// Which of several receivers makes the track.
        public var choice = DeviceChooser.Settings()
        /// When something is wrong.
        public var watchdog = SourceWatchdog.Settings()
        /// How long a connection may take to be made.
        public var connectsWithin = TimeSpan.seconds(5)
        /// How long a name may take to be looked up.
        public var resolvesWithin = TimeSpan.seconds(10)
        /// How long an epoch waits for another report of its time.
        public var completesAfter = TimeSpan.milliseconds(300)
        /// How long reports may wait in the socket without a look whether any come.
        public var looksEvery = TimeSpan.seconds(11)
        /// How long the satellites last reported stand for those in the sky.
        public var skyLasts = TimeSpan.seconds(10)
        /// Shifts the waits between attempts to connect.
        public var seed: UInt64 = 0

        /// The gpsd of this machine.
        public init() {}
    }

    /// How it is, for status and journal.
    public struct Status: Equatable, Sendable {
        /// What it is doing, or what keeps it from delivering.
        public var state = SourceState.off
        /// Since when.
        public var since = BootTime(nanoseconds: 0)
        /// More for a person: the address and the system's reason; empty when there is nothing to add.
        public var detail = ""
        /// gpsd's release, from its greeting.
        public var release: String?
        /// The receivers gpsd has.
        public var receivers: [GPSDDevice] = []
        /// The receiver that makes the track.
        public var chosen: String?
        /// Connections that were made.
        public var connections: Int64 = 0
        /// Fixes of receivers that do not make the track.
        public var unused: Int64 = 0
        /// gpsd's last complaint.
        public var complaint: String?
    }
}
