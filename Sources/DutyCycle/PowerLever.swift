/// How the receiver is switched off and on; chosen by a person, for no two receivers are alike.
public enum PowerLever: String, CaseIterable, Sendable {
    /// gpsd is asked for no more reports and closes the device a minute later; nothing else happens.
    case gpsd
    /// The receiver's own sleep command, sent through gpsd.
    case hexdata
    /// The positioning of a modem, through ModemManager.
    case modemmanager
    /// A receiver of the kernel's GNSS subsystem, which is off while nobody has it open.
    case gnssDevice = "gnss-device"
    /// The kernel's radio switch for GPS.
    case rfkill
    /// A pin, or a regulator's file.
    case gpio
    /// Two programs.
    case command
    /// Nothing is switched, and gpsd keeps the receiver open.
    case none

    /// Whether it works by gpsd letting go of the device; the others leave it open and silent.
    public var releasesDevice: Bool {
        self == .gpsd || self == .gnssDevice
    }

    /// Whether it does something to the receiver that has to be undone.
    public var touchesReceiver: Bool {
        self != .gpsd && self != .none
    }
}
