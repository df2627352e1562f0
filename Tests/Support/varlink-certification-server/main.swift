import Glibc
import Reactor
import Varlink
import VarlinkServer

// Serves `org.varlink.certification` on the socket path given, until standard input ends.
// Another implementation's client can then be run against it:
//   python3 -m varlink.tests.test_certification --client --varlink=unix:PATH

func fail(_ sentence: String, status: CInt) -> Never {
    let line = Array("\(sentence)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(status)
}

guard 2...3 ~= CommandLine.arguments.count else { fail("usage: varlink-certification-server PATH [DESCRIPTORS]", status: 2) }
let argument = CommandLine.arguments[1]
if CommandLine.arguments.count == 3 {
    // For the test of a server that runs out of them; those inherited would count too.
    for descriptor: CInt in 3..<1024 { close(descriptor) }
    var limit = rlimit()
    limit.rlim_cur = rlim_t(CommandLine.arguments[2]) ?? 0
    limit.rlim_max = limit.rlim_cur
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
let path = argument.hasPrefix("unix:") ? String(argument.dropFirst("unix:".count)) : argument

/// Ends the loop when standard input ends.
final class InputEnd: ReadinessHandler {
    let loop: EpollLoop
    init(_ loop: EpollLoop) { self.loop = loop }

    func ready(for readiness: Readiness) {
        var byte: UInt8 = 0
        if read(STDIN_FILENO, &byte, 1) <= 0 { loop.stop() }
    }
}

guard let loop = EpollLoop() else { fail("varlink-certification-server: \(String(cString: strerror(errno)))", status: 1) }
do {
    let listener = try VarlinkListener(
        .path(path),
        service: CertificationService(),
        info: VarlinkServiceInfo(vendor: "Postern", product: "Varlink certification", version: "1", url: "https://varlink.org"),
        on: loop)
    // A file cannot be waited for.
    let isWatched = loop.watch(STDIN_FILENO, for: .readable, InputEnd(loop)) != nil
    print("listening on \(path)")
    fflush(nil)
    if isWatched { loop.run() } else { fail("varlink-certification-server: standard input has to be a pipe", status: 2) }
    listener.close()
} catch {
    fail("varlink-certification-server: \(error)", status: 1)
}
