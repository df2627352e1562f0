import Glibc
import Synchronization
import Testing

@testable import PosternDaemon

/// Two versions of a program, and a link that leads to the first.
@Suite("The file that the program runs from")
struct ProgramFileTests {
    private final class Files {
        let directory: String
        var old: String { directory + "/old" }
        var new: String { directory + "/new" }
        var link: String { directory + "/link" }

        init() throws {
            var template = Array("/tmp/postern-program.XXXXXX".utf8CString)
            let made = try #require(mkdtemp(&template).flatMap { realpath($0, nil) })
            defer { free(made) }
            directory = String(cString: made)
            for file in [old, new] {
                let descriptor = open(file, O_CREAT | O_WRONLY, 0o755)
                try #require(descriptor >= 0)
                close(descriptor)
            }
            try lead(to: old)
        }

        func lead(to target: String?) throws {
            unlink(link)
            if let target { try #require(symlink(target, link) == 0) }
        }

        deinit {
            for file in [old, new, link] { unlink(file) }
            rmdir(directory)
        }
    }

    /// What the kernel reports.
    private final class Running: Sendable {
        private let path: Mutex<String>
        init(_ file: String) { path = Mutex(file) }

        var file: String {
            get { path.withLock { $0 } }
            set { path.withLock { $0 = newValue } }
        }
    }

    @Test("has been replaced once the link that it was started by leads to another program")
    func switched() throws {
        let files = try Files()
        let old = files.old
        let program = ProgramFile(startedBy: files.link) { old }
        #expect(!program.isReplaced)
        try files.lead(to: files.new)
        #expect(program.isReplaced)
        // The next one is as it is to be.
        let new = files.new
        let next = ProgramFile(startedBy: files.link) { new }
        #expect(!next.isReplaced)
        try files.lead(to: files.old)
        #expect(!program.isReplaced && next.isReplaced)
    }

    @Test("has not been replaced while the link leads nowhere, or to what cannot be started")
    func nowhere() throws {
        let files = try Files()
        let old = files.old
        let program = ProgramFile(startedBy: files.link) { old }
        try files.lead(to: nil)
        #expect(!program.isReplaced)
        try files.lead(to: files.directory + "/missing")
        #expect(!program.isReplaced)
        try files.lead(to: files.link)
        #expect(!program.isReplaced)
        try files.lead(to: files.new)
        try #require(chmod(files.new, 0o644) == 0)
        #expect(!program.isReplaced)
    }

    @Test("is judged by its path only if that is absolute, a link, and led to what runs at the start")
    func unreliable() throws {
        let files = try Files()
        let (old, other) = (files.old, files.directory + "/other")
        let programs = [
            // Started by a wrapper, or by the dynamic linker.
            ProgramFile(startedBy: files.link) { other },
            ProgramFile(startedBy: old) { old },
            ProgramFile(startedBy: "link") { old },
            ProgramFile(startedBy: nil) { old },
            ProgramFile(startedBy: files.link) { nil },
        ]
        try files.lead(to: files.new)
        for (index, program) in programs.enumerated() { #expect(!program.isReplaced, "\(index)") }
    }

    @Test("has been replaced once the kernel reports that it is gone, and where it was renamed that is no replacement")
    func deleted() throws {
        let files = try Files()
        let running = Running(files.old)
        let program = ProgramFile(startedBy: files.old) { running.file }
        running.file = files.directory + "/renamed"
        #expect(!program.isReplaced)
        running.file = files.old + " (deleted)"
        #expect(program.isReplaced)
    }

    @Test("is found by the kernel's word of how this process was started")
    func own() { #expect(!ProgramFile().isReplaced) }
}
