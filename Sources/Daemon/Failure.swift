import Configuration
import Correction
import Receiver
import StatusProtocol
import StatusServer
import Storage

/// Why the daemon ends before its work is done: one line for a person and the exit code.
struct Failure: Error {
    let message: String
    let code: ExitCode

    init(_ message: String, _ code: ExitCode) {
        self.message = message
        self.code = code
    }

    /// What any error of the parts means for the exit code.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure:
            self = failure
        case let error as UsageError:
            self.init("\(error); see 'tracklogd --help'", .usage)
        case let error as SettingsError:
            self.init(error.description, error.isMissingInput ? .noInput : .configuration)
        case let error as ReplayError:
            self.init("\(error)", ExitCode(rawValue: error.exitStatus) ?? .software)
        case let error as StoreError:
            self.init("\(error)", Failure.code(of: error))
        case let error as ListenError:
            self.init("\(error)", Failure.code(of: error))
        case CorrectionError.geoid(let why):
            self.init("Correction.Geoid=: \(why)", .configuration)
        case CorrectionError.pipeline(let why):
            self.init("Correction.Pipeline=: \(why)", .configuration)
        case let error as UnixAddress.Invalid:
            self.init("\(error)", .configuration)
        default:
            self.init("\(error)", .software)
        }
    }

    /// Whether trying again later may succeed: a medium or another program is in the way.
    var mayPass: Bool {
        switch code {
        case .cannotCreate, .noPermission, .temporary, .inputOutput: true
        default: false
        }
    }

    private static func code(of error: StoreError) -> ExitCode {
        switch error.kind {
        case .newerSchema, .foreignApplication, .notADatabase, .damaged: .dataError
        case .isDirectory, .cannotOpen, .occupied: .cannotCreate
        case .readOnly: .noPermission
        case .locked, .busy: .temporary
        case .diskFull, .inputOutput: .inputOutput
        case .misuse: .software
        }
    }

    private static func code(of error: ListenError) -> ExitCode {
        switch error {
        case .inUse: .temporary
        case .notASocket, .system: .cannotCreate
        }
    }
}
