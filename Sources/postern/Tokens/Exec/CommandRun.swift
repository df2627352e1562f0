import CProcess
import Glibc
import PosternConfiguration

/// A command line that replaces this process, or that it waits for.
struct CommandRun {
    /// The program, found as a shell finds it, and its arguments.
    let words: [String]

    /// The exit status of `env` and `nohup` if the command cannot be run.
    static let notFound: Int32 = 127
    static let notRunnable: Int32 = 126

    /// Becomes the command: signals, terminal and exit status are the command's.
    ///
    /// - Returns: only if that failed.
    func replaceProcess() -> Ending {
        let error = withCStrings(words) { argv in
            _ = execvp(words[0], argv)
            return errno
        }
        return .notStarted(status: failed(error))
    }

    /// Blocks every signal that could end this process, so that ``wait(_:during:)`` can clean up first. Call it before any thread is
    /// started: threads inherit the mask.
    static func holdSignals() -> HeldSignals {
        var held = HeldSignals()
        var watched = watched
        pthread_sigmask(SIG_BLOCK, &watched, &held.before)
        return held
    }

    /// This process can be ended again, and is, by a signal that came meanwhile.
    static func releaseSignals(_ held: HeldSignals) {
        var before = held.before
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    struct HeldSignals {
        /// The previous signal mask, which the child gets.
        fileprivate var before = sigset_t()
    }

    /// Runs the command as a child in the same process group, forwards signals, and returns how it ended. If this process is killed, the
    /// command gets SIGTERM. Call it before any thread is started.
    ///
    /// - Parameter work: run once the child runs.
    func wait(_ held: HeldSignals, during work: () throws -> Void) throws -> Ending {
        var before = held.before
        var child: pid_t = 0
        let error = withCStrings(words) { postern_start_command($0, &before, -1, -1, &child) }
        guard error == 0 else { return .notStarted(status: failed(error)) }
        do { try work() } catch {
            kill(child, SIGTERM)
            _ = follow(child)
            throw error
        }
        return follow(child)
    }

    enum Ending: Equatable {
        case exited(status: Int32)
        case killed(signal: Int32)
        case notStarted(status: Int32)
    }

    private func follow(_ child: pid_t) -> Ending {
        var watched = Self.watched
        var information = siginfo_t()
        while true {
            let signal = sigwaitinfo(&watched, &information)
            if signal == SIGCHLD {
                var status: Int32 = 0
                guard waitpid(child, &status, WNOHANG) == child else { continue }
                let number = status & 0x7F
                return number == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: number)
            }
            // Signals from the kernel, such as Ctrl-C, are sent to the whole process group: the child has them already. One from this
            // process is SIGPIPE, for a message that nobody reads.
            if signal > 0, information.si_code <= 0, information._sifields._kill.si_pid != getpid() { kill(child, signal) }
        }
    }

    /// All but what stops and continues a process, which is left to the kernel: the terminal signals the whole group. A fault of this
    /// process ends it all the same: such a signal cannot be held.
    private static var watched: sigset_t {
        var set = sigset_t()
        sigfillset(&set)
        for signal in [SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT] { sigdelset(&set, signal) }
        return set
    }

    private func failed(_ code: Int32) -> Int32 {
        StandardError.write(line: "postern: \(words[0]) cannot be run: \(String(cString: strerror(code)))".plain)
        return code == ENOENT ? Self.notFound : Self.notRunnable
    }
}

extension CommandRun.Ending {
    /// Ends this process in the same way as the command ended.
    func passOn() -> Never {
        switch self {
        case .exited(let status), .notStarted(let status): exit(status)
        case .killed(let number):
            // The command has left its core dump; a second one would be of this process.
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
            signal(number, SIG_DFL)
            var set = sigset_t()
            sigemptyset(&set)
            sigaddset(&set, number)
            pthread_sigmask(SIG_UNBLOCK, &set, nil)
            kill(getpid(), number)
            exit(128 + number)
        }
    }
}
