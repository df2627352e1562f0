/// The program that is run when the state of a credential changes.
public struct ChangeCommand: Sendable {
    /// A program that hangs delays the ones after it, and the daemon's exit.
    public static let timeout = Duration.seconds(30)

    public var arguments: [String]
    /// The daemon's own environment, and the facts.
    public var environment: [String: String]

    public init(arguments: [String], environment: [String: String]) {
        self.arguments = arguments
        self.environment = environment
    }

    /// Starts the program and waits for its end; blocks.
    ///
    /// - Parameter timeout: how long until the program is killed, with all that it started.
    /// - Returns: text for the log, to follow the program's name; nil if it succeeded.
    public func run(within timeout: Duration = Self.timeout) -> String? {
        do throws(CommandOutput.Failure) {
            _ = try CommandOutput.read(
                arguments, environment: environment, timeout: timeout, limit: PhoneCommand.outputLimit)
            return nil
        } catch {
            // Its arguments are omitted: one may be a password.
            return "(\(arguments.first ?? "")) \(error.sentence)"
        }
    }
}
