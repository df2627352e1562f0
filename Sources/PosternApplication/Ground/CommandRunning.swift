import PosternConfiguration

/// Runs the programs that the configuration names.
@DaemonActor
public protocol CommandRunning: AnyObject {
    /// - Parameters:
    ///   - input: what the program reads; nil: nothing.
    ///   - variables: added to those of the daemon's environment.
    /// - Returns: what went wrong, to follow the program's name; nil if it succeeded.
    func run(_ command: ConfiguredCommand, input: [UInt8]?, variables: [String: String]) async -> String?
}
