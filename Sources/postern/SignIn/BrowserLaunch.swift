import Glibc
import PosternClient
import PosternConfiguration

/// Opens the page of a sign-in with a command of the user's, once.
final class BrowserLaunch {
    private let command: [String]
    private var isDone = false

    /// - Parameter command: a program and its arguments; the address is appended as the last one, without a shell.
    init(_ command: [String]) { self.command = command }

    func show(_ event: SignInEvent) {
        guard event.state == .authorizationPending, let url = event.authorizationURL else { return }
        show(url)
    }

    /// The address is always printed, so the user can reach the page in any case.
    func show(_ url: String) {
        guard !isDone else { return }
        isDone = true
        if let problem = start(command + [url]) { StandardError.write(line: "postern: \(problem)".plain) }
    }

    /// - Returns: why it was not started.
    private func start(_ words: [String]) -> String? {
        guard let name = words.first else { return nil }
        let search = ProcessEnvironment.variable("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
        let path = name.unicodeScalars.contains("/") ? name : Executable.find(name, path: search)
        guard let path else { return "there is no program \(name) in PATH" }
        // A browser prints messages, and outlives this command, whose other descriptors are close-on-exec. Ctrl-C here must not reach it.
        let started = ProcessEnvironment.withForBrowsers {
            ChildProgram.start(
                path, words, environment: $0, input: .null, output: .null, errors: .null, signals: .unblocked, inOwnGroup: true)
        }
        if case .failure(let error) = started { return "\(name) could not be started: \(error)" }
        return nil
    }
}
