import ConnectionAdmission
import Glibc
import Testing

@testable import VarlinkServer

@Suite("Failures of accept")
struct AcceptFailureTests {
    @Test(
        "a failure that lasts is told from one that passes",
        arguments: [
            (EAGAIN, .noneWaits), (EINTR, .oneConnection), (ECONNABORTED, .oneConnection), (EMFILE, .shortage), (ENFILE, .shortage),
            (ENOBUFS, .shortage), (ENOMEM, .shortage), (EBADF, .noListener), (EINVAL, .noListener), (ENOTSOCK, .noListener),
            (EPERM, .refusal), (EACCES, .refusal), (ENOSYS, .refusal), (4095, .refusal),
        ] as [(CInt, AcceptFailure)])
    func kinds(code: CInt, kind: AcceptFailure) { #expect(AcceptFailure(code) == kind) }

    @Test("what is said of it says what to try")
    func sentences() {
        #expect("\(VarlinkAcceptError(errno: EMFILE))".contains("LimitNOFILE="))
        #expect("\(VarlinkAcceptError(errno: ENFILE))".contains("end programs"))
        #expect("\(VarlinkAcceptError(errno: EPERM))".contains("Operation not permitted; check SystemCallFilter="))
        #expect("\(VarlinkAcceptError(errno: EINVAL))".contains("restart the service"))
    }

    @Test("the same trouble is told once an hour")
    func warnings() {
        var warnings = RareWarnings()
        let times: [UInt64] = [5, 6, 3_600_000_000_004, 3_600_000_000_005, 3_600_000_000_006]
        #expect(times.map { warnings.isDue(at: $0) } == [true, false, false, true, false])
    }
}
