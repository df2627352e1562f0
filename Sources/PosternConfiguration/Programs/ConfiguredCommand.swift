/// A program that the configuration names, and that is run when something happens.
public struct ConfiguredCommand: Sendable, Hashable {
    public var arguments: [String]
    /// The limit for everything; then the program is killed, with all that it started.
    public var timeout: Duration

    public init(arguments: [String], timeout: Duration) {
        self.arguments = arguments
        self.timeout = timeout
    }

    /// Without its arguments: one may be a password.
    public var name: String { arguments.first ?? "" }

    /// In bytes; a program that writes more than a few words is not a suitable one.
    static let outputLimit = 65_536

    /// Starts the program, passes it the input and waits for its end; blocks.
    ///
    /// - Parameters:
    ///   - environment: the daemon's own, and what the program is told.
    ///   - input: at most 4096 bytes, which fit into a pipe at once. What is secret belongs there: others can read arguments and the
    ///     environment while the program runs.
    /// - Returns: what went wrong, to follow the program's name; nil if it succeeded.
    public func run(in environment: [String: String], input: [UInt8]? = nil) -> String? {
        do throws(CommandOutput.Failure) {
            _ = try CommandOutput.read(arguments, environment: environment, input: input, timeout: timeout, limit: Self.outputLimit)
            return nil
        } catch {
            return error.sentence
        }
    }
}
