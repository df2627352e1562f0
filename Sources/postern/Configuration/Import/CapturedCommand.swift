import Glibc
import PosternClient
import PosternConfiguration

/// Runs another program at the terminal, where it may ask for a passphrase, and captures its output.
enum CapturedCommand {
    /// In bytes; an account needs far fewer.
    static let limit = 60_000

    enum Input {
        /// The terminal, or whatever standard input is.
        case inherited
        /// At most as many bytes as a pipe holds.
        case bytes([UInt8])
    }

    static func run(_ words: [String], input: Input = .inherited) throws(CommandFailure) -> [UInt8] {
        let output = try pipe()
        defer { close(output.read) }
        var source: (read: Int32, write: Int32)?
        if case .bytes = input { source = try pipe() }
        // In the same process group, so that the program can ask for a passphrase at the terminal and Ctrl-C ends both.
        let started = ChildProgram.start(
            words[0], words, input: source.map { .descriptor($0.read) } ?? .inherited, output: .descriptor(output.write))
        close(output.write)
        if let source {
            close(source.read)
            if case .success = started, case .bytes(let bytes) = input {
                let previous = signal(SIGPIPE, SIG_IGN)
                _ = FileDescriptorWriter.writeAll(bytes, to: source.write)
                signal(SIGPIPE, previous)
            }
            close(source.write)
        }
        let child = try started.mapError { CommandFailure("\(words[0]) could not be started: \($0)".plain) }.get()
        let (printed, isWhole) = readAll(output.read)
        if !isWhole { kill(child, SIGTERM) }
        let status = ChildEnd.wait(for: child)
        guard isWhole else { throw CommandFailure("\(words[0]) printed more than \(limit) bytes".plain) }
        guard status == 0 else { throw CommandFailure("\(words[0]) failed; nothing was read".plain) }
        return printed
    }

    private static func readAll(_ descriptor: Int32) -> ([UInt8], isWhole: Bool) {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return (all, true) }
            all += bytes[..<count]
            if all.count > limit { return (all, false) }
        }
    }

    private static func pipe() throws(CommandFailure) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw CommandFailure("no pipe could be made: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

/// A file of another program, which is read and left unchanged.
enum ForeignFile {
    static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        if path == "-" { return try whole(STDIN_FILENO, "standard input") }
        // Does not wait for a writer if the file is a pipe.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw CommandFailure("\(path) cannot be read: \(String(cString: strerror(errno)))".plain) }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure("\(path) is not a regular file".plain)
        }
        return try whole(descriptor, path)
    }

    private static func whole(_ descriptor: Int32, _ name: String) throws(CommandFailure) -> [UInt8] {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw CommandFailure("\(name) cannot be read: \(String(cString: strerror(errno)))".plain) }
            if count == 0 { return all }
            all += bytes[..<count]
            guard all.count <= CapturedCommand.limit else {
                throw CommandFailure("\(name) has more than \(CapturedCommand.limit) bytes, which is too many".plain)
            }
        }
    }
}
