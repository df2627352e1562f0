import Glibc
import PosternClient

/// Why a command did not do what was asked: a sentence for standard error, and the status to end with.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    var status: CommandStatus
    /// Empty where all has been said already.
    var sentence: String
    /// What to try; stands on a line of its own.
    var advice: String?

    init(_ sentence: String, status: CommandStatus = .failed, advice: String? = nil) {
        self.status = status
        self.sentence = sentence
        self.advice = advice
    }

    var description: String { sentence }
}

extension CommandFailure {
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as PosternError: self.init(error)
        case let error as InterfaceError: self.init(error)
        default: self.init("\(error)".plain)
        }
    }

    /// What an error of a call means for the command.
    init(_ error: PosternError) {
        switch error {
        case .daemonUnreachable, .daemonUnresponsive:
            self.init(error.description.plain, status: .daemonUnreachable, advice: error.advice)
        case .foreignDaemon(let path, let userID):
            self.init(
                "\(path) is served by \(UserName.text(userID)) and not by you, \(UserName.text(geteuid())); nothing was sent".plain,
                status: .daemonUnreachable, advice: error.advice)
        case .refused(let refusal):
            self.init(refusal)
        case .cancelled:
            self.init("cancelled", status: .declined)
        case .connectionLost, .notUnderstood, .malformedReply:
            self.init(error.description.plain, advice: error.advice)
        }
    }

    init(_ error: InterfaceError) {
        let (status, advice) = Self.meaning(of: error)
        self.init(error.message.plain, status: status, advice: advice?.plain)
    }

    /// The daemon's sentence says what to try; advice is only what the command line can add.
    private static func meaning(of error: InterfaceError) -> (CommandStatus, advice: String?) {
        switch error {
        case .signInDenied, .signInTimedOut, .signInCancelled:
            (.declined, nil)
        case .signInRequired, .noCurrentUser:
            (.signInNeeded, nil)
        case .scopeNotGranted(_, let missing):
            (.signInNeeded, "sign in again with: " + missing.map { "--scope \($0)" }.joined(separator: " "))
        case .ambiguousAccount(_, let uids):
            (.failed, "choose one with: " + uids.map { "--account \($0)" }.joined(separator: ", "))
        case .providerNotConfigured(_, let providerID):
            (.failed, "postern provider show \(providerID) says what goes where")
        default:
            (.failed, nil)
        }
    }
}

/// How the command ends, for scripts.
enum CommandStatus: Int32 {
    case done = 0
    /// The reason is on standard error.
    case failed = 1
    /// The person said no, cancelled, or time ran out.
    case declined = 2
    /// Nothing usable is stored; `postern sign-in` comes first.
    case signInNeeded = 3
    case daemonUnreachable = 4
    /// `EX_USAGE` of sysexits.h.
    case wrongUsage = 64
}

/// How a failure is told.
enum Report {
    static func write(_ failure: CommandFailure) {
        guard !failure.sentence.isEmpty else { return }
        StandardError.write(line: "postern: " + failure.sentence)
        if let advice = failure.advice { StandardError.write(line: "  " + advice) }
    }
}
