/// The program that carries a code to a phone.
public struct PhoneCommand: Sendable {
    public var arguments: [String]
    /// The daemon's own, which the program inherits.
    public var environment: [String: String]
    public var timeout: Duration

    public init(arguments: [String], environment: [String: String], timeout: Duration) {
        self.arguments = arguments
        self.environment = environment
        self.timeout = timeout
    }

    /// Words for the log and for clients: what became of the program.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// In bytes; a program that says more than a few words is not what was meant.
    static let outputLimit = 65_536

    /// Starts the program, hands it the message on its standard input and waits for its end; blocks.
    ///
    /// Neither argument nor environment: both can be read by others while the program runs.
    ///
    /// - Parameter message: at most 4096 bytes, which a pipe takes at once.
    public func send(_ message: [UInt8]) throws(Failure) {
        // Its arguments are left out: one may be a password.
        let name = "the program \(arguments.first ?? "")"
        do throws(CommandOutput.Failure) {
            _ = try CommandOutput.read(
                arguments, environment: environment, input: message, timeout: timeout, limit: Self.outputLimit)
        } catch {
            throw Failure(description: "\(name) \(error.sentence)")
        }
    }
}
