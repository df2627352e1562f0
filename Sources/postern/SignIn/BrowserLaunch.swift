import Glibc
import PosternClient

/// Opens the page of a sign-in with a command of the user's, once.
final class BrowserLaunch {
    private let command: [String]
    private let environment: [String: String]
    private var isDone = false

    /// - Parameter command: a program and its arguments; the address is appended as the last one, without a shell.
    init(_ command: [String], environment: [String: String]) {
        self.command = command
        self.environment = environment
    }

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
        let path =
            name.unicodeScalars.contains("/") ? name : Executable.find(name, path: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
        guard let path else { return "there is no program \(name) in PATH" }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // A browser prints messages, and outlives this command, whose other descriptors are close-on-exec.
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // Ctrl-C here must not reach the browser.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        var child: pid_t = 0
        let result = withCStrings(words) { argv in
            ProcessEnvironment.withForBrowsers { posix_spawn(&child, path, &actions, &attributes, argv, $0) }
        }
        return result == 0 ? nil : "\(name) could not be started: \(String(cString: strerror(result)))"
    }
}
