import Glibc
import PosternClient
import PosternConfiguration

/// Runs another program at the terminal, where it may ask for a passphrase, and captures its output.
enum CapturedCommand {
    /// In bytes; an account needs far fewer.
    static let limit = 60_000

    /// - Parameter input: at most as many bytes as a pipe holds; nil for the terminal, or whatever standard input is.
    static func run(_ words: [String], input: [UInt8]? = nil) throws(CommandFailure) -> [UInt8] {
        let output = try PipeEnds(blocking: true)
        defer { close(output.readEnd) }
        let source = try input == nil ? nil : PipeEnds(blocking: true)
        // In the same process group, so that the program can ask for a passphrase at the terminal and Ctrl-C ends both.
        let started = ChildProgram.start(
            words[0], words, input: source.map { .descriptor($0.readEnd) } ?? .inherited, output: .descriptor(output.writeEnd))
        close(output.writeEnd)
        if let input, let source {
            close(source.readEnd)
            if case .success = started {
                let previous = signal(SIGPIPE, SIG_IGN)
                _ = FileDescriptorWriter.writeAll(input, to: source.writeEnd)
                signal(SIGPIPE, previous)
            }
            close(source.writeEnd)
        }
        let child = try started.mapError { CommandFailure("\(words[0]) could not be started: \($0)".plain) }.get()
        let printed = DescriptorReader.all(from: output.readEnd, limit: limit) ?? []
        let isWhole = printed.count <= limit
        if !isWhole { kill(child, SIGTERM) }
        let status = ChildEnd.wait(for: child)
        guard isWhole else { throw CommandFailure("\(words[0]) printed more than \(limit) bytes".plain) }
        guard status == 0 else { throw CommandFailure("\(words[0]) failed; nothing was read".plain) }
        return printed
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
        guard let bytes = DescriptorReader.all(from: descriptor, limit: CapturedCommand.limit) else {
            throw CommandFailure("\(name) cannot be read: \(String(cString: strerror(errno)))".plain)
        }
        guard bytes.count <= CapturedCommand.limit else {
            throw CommandFailure("\(name) has more than \(CapturedCommand.limit) bytes, which is too many".plain)
        }
        return bytes
    }
}
