import CProcess
import Glibc
import PosternConfiguration

/// curl's first run with a proof. The server may require its own nonce in the proof (RFC 9449 section 9).
///
/// curl's output is held back until the head of the response has arrived: the body of such a refusal is not the result.
struct CurlTrial {
    enum Outcome: Equatable {
        /// Send the request again with this nonce in the proof.
        case nonce(String)
        /// This was the response, and it has been printed.
        ///
        /// - isTokenRefused: the server refused the token.
        case ended(CommandRun.Ending, isTokenRefused: Bool)
    }

    let curl: String
    let arguments: [String]

    /// - Parameter settings: returns curl's settings, given the path at which to write the head.
    func run(settings: (_ head: String) throws(CommandFailure) -> String) throws -> Outcome {
        let head = try PipeEnds(blocking: true)
        let output = try PipeEnds(blocking: true)
        defer {
            close(head.readEnd)
            close(output.readEnd)
        }
        let words = [curl, "--disable", "--config", try settings("/proc/self/fd/\(head.writeEnd)"), "--globoff"] + arguments
        _ = fcntl(head.writeEnd, F_SETFD, 0)

        let started = ChildProgram.start(curl, words, output: .descriptor(output.writeEnd))
        close(head.writeEnd)
        close(output.writeEnd)
        let child = try started.mapError { CommandFailure("\(curl) cannot be run: \($0)".plain) }.get()

        let response = relay(head: head.readEnd, output: output.readEnd)
        let end = ChildEnd.wait(for: child)
        if let nonce = response.wantedNonce { return .nonce(nonce) }
        guard let status = end else { throw CommandFailure("\(curl) ended, but its status is unknown".plain) }
        let signal = status & 0x7F
        return .ended(
            signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal), isTokenRefused: response.refusesToken)
    }

    /// Copies curl's output to this command's, once it is known to be the result.
    ///
    /// - Returns: the head of the response.
    private func relay(head: Int32, output: Int32) -> CurlHead {
        var collected: [UInt8] = []
        // Output waits in the pipe meanwhile, and curl with it: it writes the head of a response before its body.
        while collected.count < CurlHead.longest, let bytes = DescriptorReader.some(from: head), !bytes.isEmpty {
            collected += bytes
            if CurlHead(collected).isComplete { break }
        }
        let response = CurlHead(collected)
        // Trailers follow the body as part of the head: curl must not wait for a reader.
        var polled = [output, head].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            guard poll(&polled, 2, -1) > 0 else { continue }
            if polled[1].revents != 0, DescriptorReader.some(from: head)?.isEmpty ?? true { polled[1].fd = -1 }
            guard polled[0].revents != 0 else { continue }
            guard let bytes = DescriptorReader.some(from: output), !bytes.isEmpty else { return response }
            // If the reader is gone, curl must be informed, too.
            if response.wantedNonce == nil, !FileDescriptorWriter.writeAll(bytes, to: STDOUT_FILENO) { return response }
        }
    }
}

/// Where curl writes the heads of all responses: in memory, so that it never waits for a reader.
final class CurlHeadFile {
    private let descriptor: Int32

    /// Nil if there is no memory for it: the output is what matters.
    init?() {
        descriptor = postern_memory_file("head")
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    var path: String { "/proc/self/fd/\(descriptor)" }

    /// The first response, which is that of the server that got the token: a redirect may have led elsewhere since.
    func first() -> CurlHead {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { return CurlHead([]) }
        return CurlHead(DescriptorReader.all(from: descriptor, limit: CurlHead.longest) ?? [])
    }
}

/// The head of a response as curl writes it with `--dump-header`.
struct CurlHead {
    /// It is not read beyond this, in bytes.
    static let longest = 256 * 1024

    private let lines: [Substring]
    /// A blank line has followed the status of a final response (RFC 9110 section 15.2: 1xx are not).
    let isComplete: Bool

    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        var last: [Substring] = []
        var isComplete = false
        // The text after the last line feed is not a line yet.
        for line in text.parts(separator: "\n", omittingEmptySubsequences: false).dropLast().map({
            $0.ends(with: "\r") ? Substring($0.utf8.dropLast()) : $0
        }) {
            if line.begins(with: "HTTP/") {
                last = [line]
            } else if !line.isEmpty {
                last.append(line)
            } else if let status = last.first, Self.status(status) >= 200 {
                isComplete = true
                break
            }
        }
        lines = last
        self.isComplete = isComplete
    }

    /// The server refused the token, and not only the proof beside it.
    var refusesToken: Bool { isComplete && lines.first.map(Self.status) == 401 && wantedNonce == nil }

    /// The nonce that a refusal requires in the proof.
    var wantedNonce: String? {
        guard isComplete, let first = lines.first, Self.status(first) == 401,
            fields("www-authenticate").contains(where: { $0.lowercased().begins(with: "dpop") && $0.holds("use_dpop_nonce") }),
            let nonce = fields("dpop-nonce").last, !nonce.isEmpty
        else { return nil }
        return nonce
    }

    private func fields(_ name: String) -> [String] {
        lines.dropFirst().compactMap { line in
            guard let colon = line.unicodeScalars.firstIndex(of: ":"), line[..<colon].lowercased() == name else { return nil }
            let value = line.after(colon).skipping { $0 == " " || $0 == "\t" }.unicodeScalars
            return value.lastIndex { $0 != " " && $0 != "\t" }.map { String(value[...$0]) } ?? ""
        }
    }

    private static func status(_ line: Substring) -> Int {
        let words = line.parts(separator: " ", maxSplits: 2)
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }
}
