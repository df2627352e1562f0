import CProcess
import Glibc

/// Programs that are children of this process.
package enum ChildProgram {
    /// What a standard descriptor of the program is.
    package enum Stream {
        /// As ours.
        case inherited
        case null
        case descriptor(Int32)
    }

    package enum Signals {
        /// As ours, blocked ones and ignored ones.
        case inherited
        /// None is blocked.
        case unblocked
        /// None is blocked, and none is ignored.
        case standard
    }

    package struct NotStarted: Error, CustomStringConvertible {
        /// An errno.
        package var code: Int32

        package var description: String { String(cString: strerror(code)) }
    }

    /// - Parameters:
    ///   - program: a path, or a name to be found in our search path.
    ///   - words: its arguments; by convention the first one is its name.
    ///   - environment: ours, if nil.
    ///   - inOwnGroup: so that Ctrl-C does not reach it, and that it can be ended with what it starts.
    ///   - withOtherDescriptors: those that are not close-on-exec; false keeps all of them from it.
    package static func start(
        _ program: String, _ words: [String], environment: CStrings? = nil, input: Stream = .inherited, output: Stream = .inherited,
        errors: Stream = .inherited, signals: Signals = .inherited, inOwnGroup: Bool = false, withOtherDescriptors: Bool = true
    ) -> Result<pid_t, NotStarted> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (standard, stream) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
            switch stream {
            case .inherited: break
            case .null: posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0)
            case .descriptor(let number): posix_spawn_file_actions_adddup2(&actions, number, standard)
            }
        }
        var code = withOtherDescriptors ? 0 : postern_spawn_without_descriptors_from(&actions, STDERR_FILENO + 1)
        guard code == 0 else { return .failure(NotStarted(code: code)) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        var flags = inOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
        if signals != .inherited { flags |= POSIX_SPAWN_SETSIGMASK }
        if signals == .standard { flags |= POSIX_SPAWN_SETSIGDEF }
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var child: pid_t = 0
        code = withCStrings(words) { words in
            if let environment { return posix_spawnp(&child, program, &actions, &attributes, words, environment) }
            return posix_spawnp(&child, program, &actions, &attributes, words, environ)
        }
        return code == 0 ? .success(child) : .failure(NotStarted(code: code))
    }
}

/// An array of C strings terminated by nil, as `exec` requires.
package typealias CStrings = [UnsafeMutablePointer<CChar>?]

package func withCStrings<Value>(_ texts: [String], _ body: (CStrings) throws -> Value) rethrows -> Value {
    let copies = texts.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return try body(copies + [nil])
}
