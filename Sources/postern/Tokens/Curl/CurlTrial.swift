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
        case ended(CommandRun.Ending)
    }

    let curl: String
    let arguments: [String]

    /// The head of a response is not read beyond this.
    private static let longestHead = 256 * 1024

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

        let nonce = relay(head: head.readEnd, output: output.readEnd)
        let end = ChildEnd.wait(for: child)
        if let nonce { return .nonce(nonce) }
        guard let status = end else { throw CommandFailure("\(curl) ended, but its status is unknown".plain) }
        let signal = status & 0x7F
        return .ended(signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal))
    }

    /// Copies curl's output to this command's, once it is known to be the result.
    ///
    /// - Returns: the nonce that the server requires.
    private func relay(head: Int32, output: Int32) -> String? {
        var collected: [UInt8] = []
        // Output waits in the pipe meanwhile, and curl with it: it writes the head of a response before its body.
        while collected.count < Self.longestHead, let bytes = DescriptorReader.some(from: head), !bytes.isEmpty {
            collected += bytes
            if CurlHead(collected).isComplete { break }
        }
        let nonce = CurlHead(collected).wantedNonce
        // Trailers follow the body as part of the head: curl must not wait for a reader.
        var polled = [output, head].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            guard poll(&polled, 2, -1) > 0 else { continue }
            if polled[1].revents != 0, DescriptorReader.some(from: head)?.isEmpty ?? true { polled[1].fd = -1 }
            guard polled[0].revents != 0 else { continue }
            guard let bytes = DescriptorReader.some(from: output), !bytes.isEmpty else { return nonce }
            // If the reader is gone, curl must be informed, too.
            if nonce == nil, !FileDescriptorWriter.writeAll(bytes, to: STDOUT_FILENO) { return nil }
        }
    }
}

/// The head of a response as curl writes it with `--dump-header`.
struct CurlHead {
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
