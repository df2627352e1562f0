import Glibc
import PosternClient

/// One line of an input, without its end.
enum InputLine {
    /// Bytes; a terminal gives no longer line, and nothing that is asked for here is as long.
    static let limit = 4095

    /// Takes no more from the input than the line: what follows may be for somebody else.
    ///
    /// - Returns: nil where the input ended before anything came.
    /// - Throws: ``PosternError/cancelled`` after an interrupt.
    static func read(from descriptor: Int32, interrupts: Interrupts) throws -> String? {
        var bytes: [UInt8] = []
        while true {
            try waitForInput(on: descriptor, interrupts)
            var byte: UInt8 = 0
            let count = Glibc.read(descriptor, &byte, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            if count <= 0 { return bytes.isEmpty ? nil : try text(bytes) }
            if byte == 0x0A { return try text(bytes) }
            guard bytes.count < limit else { throw CommandFailure("a line is longer than \(limit) bytes", status: .wrongUsage) }
            bytes.append(byte)
        }
    }

    private static func waitForInput(on descriptor: Int32, _ interrupts: Interrupts) throws {
        while true {
            var polled = [interrupts.descriptor, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, 2, -1) > 0 else { continue }
            if polled[0].revents != 0, interrupts.take() { throw PosternError.cancelled }
            if polled[1].revents != 0 { return }
        }
    }

    private static func text(_ bytes: [UInt8]) throws -> String {
        let line = bytes.last == 0x0D ? bytes.dropLast() : bytes[...]
        guard let text = String(validating: line, as: UTF8.self) else {
            throw CommandFailure("a line is not UTF-8", status: .wrongUsage)
        }
        return text
    }
}
