import Glibc
import PosternClient

/// The words of the command line, as the system passes them: bytes.
enum CommandWords {
    /// `CommandLine.arguments` replaces what is not UTF-8, so that a file of another name would be read or written. The word itself is not
    /// shown: it cannot be, and it may be a secret.
    static func refuseOthersThanUTF8() {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil else { continue }
            let failure = CommandFailure(
                "argument \(index) is not UTF-8", status: .wrongUsage, advice: "a file of such a name can be given by a link to it")
            Report.write(failure, json: CommandLine.arguments.prefix { $0 != "--" }.contains("--json"))
            exit(failure.status.rawValue)
        }
    }
}
