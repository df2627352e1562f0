import Foundation
import TestProcess

/// Runs one test of this very program in its own process, for what would disturb the others: process-wide limits.
enum ChildTest {
    private static let variable = "POSTERN_CHILD_TEST"

    /// True in the process that was started for that test.
    static func isRunning(_ name: String) -> Bool { ProcessInfo.processInfo.environment[variable] == name }

    /// - Returns: the exit status, and all that was printed.
    static func run(_ name: String, filter: String) throws -> (status: Int32, output: String) {
        // The same program with the same arguments, less those that choose tests or report to the parent.
        var arguments: [String] = []
        var skipsValue = false
        for argument in CommandLine.arguments.dropFirst() {
            if skipsValue {
                skipsValue = false
            } else if ["--filter", "--skip", "--event-stream-output-path", "--event-stream-output", "--xunit-output"].contains(argument) {
                skipsValue = true
            } else {
                arguments.append(argument)
            }
        }
        return try TestProcess.run(TestProcess.program, arguments + ["--filter", filter], environment: [variable: name])
    }
}
