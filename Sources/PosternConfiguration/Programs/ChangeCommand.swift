/// The program that is run when the state of a credential changes.
public struct ChangeCommand: Sendable {
    /// A program that hangs keeps those that come after it waiting, and the daemon from its end.
    public static let timeout = Duration.seconds(30)

    public var arguments: [String]
    /// The daemon's own, and the facts.
    public var environment: [String: String]

    public init(arguments: [String], environment: [String: String]) {
        self.arguments = arguments
        self.environment = environment
    }

    /// Starts the program and waits for its end; blocks.
    ///
    /// - Parameter timeout: after which it is killed, with all that it started.
    /// - Returns: words for the log, after the program's name; nil if it ended well.
    public func run(within timeout: Duration = Self.timeout) -> String? {
        do throws(CommandOutput.Failure) {
            _ = try CommandOutput.read(
                arguments, environment: environment, timeout: timeout, limit: PhoneCommand.outputLimit)
            return nil
        } catch {
            // Its arguments are left out: one may be a password.
            return "(\(arguments.first ?? "")) \(error.sentence)"
        }
    }
}
