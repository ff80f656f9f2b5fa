public import DutyCycle
public import Scheduling

/// How the receiver is switched, and what it draws.
public struct ReceiverSettings: Equatable, Sendable {
    /// What switches it.
    public var power = PowerLever.gpsd
    /// The sleep command of ``PowerLever/hexdata``.
    public var sleepCommand = SleepCommand.auto
    /// The bytes that send it to sleep, with ``SleepCommand/own``.
    public var sleepBytes: [UInt8] = []
    /// The bytes that wake it, with ``SleepCommand/own``.
    public var wakeBytes: [UInt8] = []
    /// The program that switches it off, with its arguments.
    public var offCommand: [String] = []
    /// The program that switches it on, with its arguments.
    public var onCommand: [String] = []
    /// How long a program or a service of the system may take to switch.
    public var switchTimeout = TimeSpan.seconds(5)
    /// What the lever works on; `nil` takes the usual one.
    public var path: String?
    /// Whether a pin switches off when it is high.
    public var activeLow = false
    /// What it draws; `nil` when nobody said.
    public var draw: ReceiverDraw?
    /// Whether a suspended machine is woken when a fix is due.
    public var wakeSystem = false
}
