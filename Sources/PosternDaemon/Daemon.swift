import CProcess
import Glibc
import PosternApplication
import PosternConfiguration
import PosternCrypto
import PosternSystemd

/// The daemon as a program: `posternd` is this and its command line.
public enum Daemon {
    /// Runs until a signal or the idle limit ends it; exits the process.
    public static func run(_ options: DaemonOptions) -> Never {
        fillStandardDescriptors()
        tuneMemory()
        // Threads inherit the mask, so that signals arrive only at the loop.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
        // A limit on the size of files must lead to an error message, not to the end of the daemon.
        signal(SIGXFSZ, SIG_IGN)

        DaemonLoop.adopt()
        DaemonActor.start {
            let lifecycle = Lifecycle(options: options)
            running = lifecycle
            do throws(StartError) { try await lifecycle.start() } catch {
                if !error.isReported { complain(error.description) }
                exit(error.exitStatus)
            }
        }
        guard SignalWatch(signals, on: DaemonLoop.loop, received: { signal in DaemonActor.start { await hear(signal) } }) != nil else {
            complain("the system gives no descriptor to wait for signals with: \(String(cString: strerror(errno)))")
            exit(1)
        }
        DaemonLoop.loop.run()
        if let failure = DaemonLoop.loop.failure {
            complain("the system tells of no events any more: \(String(cString: strerror(failure)))")
            exit(1)
        }
        exit(0)
    }

    @DaemonActor
    private static func hear(_ signal: CInt) async {
        if signal == SIGHUP {
            await running?.reload()
        } else if let running {
            running.stop(reason: signal == SIGINT ? "received SIGINT" : "received SIGTERM")
        } else {
            exit(0)
        }
    }

    /// Creates what the callback listener needs for https. The command that runs this explains what it does.
    ///
    /// - Parameter replacing: overwrite existing files.
    /// - Returns: the exit status.
    public static func makeCertificate(in directory: String, replacing: Bool) -> Int32 {
        if let problem = problem(ofKeyDirectory: directory) {
            complain(problem)
            return 64
        }
        do throws(CertificateFileError) {
            try CertificateFiles(directory: directory).write(LoopbackCertificate.make(now: SystemClock().now), replacing: replacing)
            return 0
        } catch {
            complain(error.description)
            return 1
        }
    }

    /// Why no key may be stored there; nil for a missing directory, which is created for its owner only.
    private static func problem(ofKeyDirectory directory: String) -> String? {
        guard !directory.isEmpty else { return "the directory has no name; leave the option out, or give a path" }
        return KeyDirectory.problem(of: directory, user: geteuid()) { KeyDirectory.Facts(path: $0) }
    }

    /// What the daemon executes itself for, since it must not call the desktop portal itself (``OpenURIPortal``): the page's address is on
    /// standard input.
    public static func openWithPortal() { OpenURIPortal.answer() }

    /// The same for notifications (``PortalNotifications``): commands are on standard input.
    public static func notifyWithPortal() { PortalNotifications.answer() }

    @DaemonActor private static var running: Lifecycle?

    /// If a program is started without one of these descriptors, a socket would get its number, and the program would write messages for
    /// people to that socket. Nothing else has been opened yet, so a missing one is the lowest free number.
    private static func fillStandardDescriptors() {
        var descriptor: CInt = 0
        while (0...STDERR_FILENO).contains(descriptor) { descriptor = open("/dev/null", O_RDWR) }
        if descriptor > STDERR_FILENO { close(descriptor) }
    }

    /// One arena: with one for each thread an idle daemon would keep megabytes that nobody uses.
    private static func tuneMemory() {
        mallopt(M_ARENA_MAX, 1)
        mallopt(M_TRIM_THRESHOLD, 128 * 1024)
        // Neither a core file nor another program of the same user can reveal the tokens in memory.
        _ = postern_forbid_dumps()
    }

    static func complain(_ sentence: String) {
        let line = Array("posternd: \(sentence)\n".utf8)
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
