/// The program that sends a code to a phone.
public struct PhoneCommand: Sendable {
    public var arguments: [String]
    /// The daemon's own environment, which the program inherits.
    public var environment: [String: String]
    public var timeout: Duration

    public init(arguments: [String], environment: [String: String], timeout: Duration) {
        self.arguments = arguments
        self.environment = environment
        self.timeout = timeout
    }

    /// What happened to the program, in words for the log and for clients.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// In bytes; a program that writes more than a few words is not a suitable one.
    static let outputLimit = 65_536

    /// Starts the program, passes it the message on its standard input and waits for its end; blocks.
    ///
    /// Neither an argument nor the environment is used: others can read both while the program runs.
    ///
    /// - Parameter message: at most 4096 bytes, which fit into a pipe at once.
    public func send(_ message: [UInt8]) throws(Failure) {
        // Its arguments are omitted: one may be a password.
        let name = "the program \(arguments.first ?? "")"
        do throws(CommandOutput.Failure) {
            _ = try CommandOutput.read(
                arguments, environment: environment, input: message, timeout: timeout, limit: Self.outputLimit)
        } catch {
            throw Failure(description: "\(name) \(error.sentence)")
        }
    }
}
