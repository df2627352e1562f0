import Glibc
import Testing

@testable import TestDaemon
@testable import postern

@Suite("Where pasted addresses come from")
struct PasteInputTests {
    /// A terminal that is nobody's controlling one, as an editor or a runner hands to what it starts.
    private final class ForeignTerminal {
        let master: Int32
        let slave: Int32

        init() throws {
            master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
            // What unlockpt and ptsname do, which Glibc's module does not offer: TIOCSPTLCK and TIOCGPTN.
            var (lock, number) = (Int32(0), Int32(0))
            try #require(ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
            slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
            try #require(slave >= 0)
        }

        deinit {
            close(slave)
            close(master)
        }
    }

    @Test("a line typed on a terminal that is not the controlling one is taken")
    func foreignTerminal() throws {
        let terminal = try ForeignTerminal()
        var input = PasteInput(descriptor: terminal.slave)
        let line = "http://127.0.0.1:7678/__/auth/handler?state=a&code=b"
        let bytes = Array((line + "\n").utf8)
        #expect(write(terminal.master, bytes, bytes.count) == bytes.count)
        #expect(input.descriptor == terminal.slave && input.mayBring)
        #expect(input.read() == [line])
    }

    @Test("an input that ended is not read again")
    func ended() throws {
        let pipe = try PipeEnds(blocking: true)
        defer { close(pipe.readEnd) }
        var input = PasteInput(descriptor: pipe.readEnd)
        #expect(input.mayBring)
        #expect(write(pipe.writeEnd, "abc", 3) == 3)
        close(pipe.writeEnd)
        #expect(input.read().isEmpty)
        #expect(input.read() == ["abc"])
        #expect(input.descriptor == nil && !input.mayBring)
    }

    @Test("nothing comes from where there is nothing", arguments: ["/dev/null", "/etc/hostname"])
    func nothing(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(!PasteInput(descriptor: descriptor).mayBring)
    }
}
