import Glibc
import PosternSystemd

// Does one thing of PosternSystemd in its own process: the environment that it reads belongs to a whole process.
//
// usage: systemd-test-child notify | sockets | log MESSAGE NAME=VALUE… | stalled KIND | full-journal PATH | full-manager PATH | launch PROGRAM ARGUMENT… | find STORE… | save SECRET STORE… |
//        remove STORE… | portal

let arguments = CommandLine.arguments
/// - Parameter store: names one item, where it is given.
func secrets(_ store: String?) -> SecretService {
    SecretService(
        label: "Postern's tests", attributes: [("application", "postern-tests"), ("purpose", "test")] + (store.map { [("store", $0)] } ?? []))
}

switch arguments.dropFirst().first {
case "notify":
    let notifier = ServiceNotifier { _, _ in }
    print(notifier.watchdogInterval.map(String.init) ?? "none")
    notifier.ready(status: "first\nsecond")
    notifier.status("waiting")
    notifier.watchdog()
    notifier.reloading()
    notifier.stopping()
case "sockets":
    do throws(PassedSocketError) {
        for socket in try PassedSockets.take() {
            let isInherited = fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC == 0
            print(socket.role.rawValue, socket.descriptor, isInherited ? "inherited" : "kept")
        }
        print(getenv("LISTEN_FDS") == nil ? "environment clean" : "environment kept")
    } catch {
        print(error)
        exit(1)
    }
case "log":
    Journal().write(
        LogEntry(
            priority: 4, message: arguments[2], messageID: "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b18",
            fields: arguments.dropFirst(3).map { field in
                let parts = field.split(separator: "=", maxSplits: 1)
                return (String(parts[0]), String(parts[1]))
            }))
case "stalled":
    stalled(arguments[2])
case "full-journal":
    fullJournal(arguments[2])
case "full-manager":
    fullManager(arguments[2])
case "launch":
    do throws(LaunchError) {
        try DetachedProgram.start(Array(arguments.dropFirst(2)), environment: ["PATH": "/usr/bin:/bin", "ONLY": "this"])
        var status: Int32 = 0
        // Nothing to wait for: what was started is nobody's zombie.
        print(waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD ? "no children" : "has children")
    } catch {
        print(error)
        exit(1)
    }
case "portal":
    OpenURIPortal.answer()
case "find":
    do throws(SecretService.Failure) {
        let found = try secrets(arguments.dropFirst(2).first).find()
        print(found.isEmpty ? "none" : found.map { "\($0)" }.sorted().joined(separator: " "))
    } catch { print(word(error)) }
case "save":
    do throws(SecretService.Failure) {
        try secrets(arguments.dropFirst(3).first).save(Array(arguments[2].utf8))
        print("saved")
    } catch {
        print(word(error))
    }
case "remove":
    do throws(SecretService.Failure) { print("removed", try secrets(arguments.dropFirst(2).first).remove()) } catch { print(word(error)) }
default:
    exit(64)
}

func word(_ failure: SecretService.Failure) -> String {
    switch failure {
    case .notAvailable: "not available"
    case .locked: "locked"
    case .noCollection: "no collection"
    }
}
