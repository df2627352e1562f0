import CProcess
import Glibc
import PosternConfiguration

/// One run of curl, as a child that ends with this process.
///
/// A run that holds back refusals writes into pipes: what it prints is copied once the head of the response has arrived, and is no refusal.
/// A refusal waits in the pipes until it is known whether it is the result; curl waits with it if it does not fit.
final class CurlRun {
    private let child: pid_t
    /// The reading ends; negative once they have ended.
    private var head: Int32
    private var output: Int32 = -1
    private var errors: Int32 = -1

    private var headBytes: [UInt8] = []
    /// What was read before it was known whether it is the result.
    private var held: (output: [UInt8], errors: [UInt8]) = ([], [])
    private var passed = 0
    private let protectsTerminal: Bool
    private var wasBinary = false
    /// `CURLE_WRITE_ERROR`, with which curl ends if it does not print something.
    private static let notPrinted: Int32 = 23
    private let interrupts: Interrupts?

    /// The first response.
    private(set) var response = CurlHead([])

    /// - Parameters:
    ///   - settings: makes a descriptor with curl's settings, given the path at which to write the head.
    ///   - mask: the signals that curl is to find blocked.
    ///   - interrupts: who gets the signals that would have ended this process, if somebody does.
    /// - Throws: if curl cannot be started.
    init(
        _ curl: String, _ line: CurlCommandLine, holdsRefusals: Bool, mask: sigset_t, interrupts: Interrupts?,
        settings: (_ head: String) throws(CommandFailure) -> Int32
    ) throws(CommandFailure) {
        let isShown = line.printsBody && isatty(STDOUT_FILENO) == 1
        (protectsTerminal, self.interrupts) = (isShown && !line.printsBinaries, interrupts)
        let heads = try PipeEnds(blocking: true)
        let outputs = holdsRefusals ? try PipeEnds(blocking: true) : nil
        let errors = holdsRefusals ? try PipeEnds(blocking: true) : nil
        let settings = try settings("/proc/self/fd/\(heads.writeEnd)")
        for descriptor in [settings, heads.writeEnd] { _ = fcntl(descriptor, F_SETFD, 0) }
        var words = [curl, "--disable", "--config", "/proc/self/fd/\(settings)", "--globoff"]
        // Into a pipe curl would collect what it prints, and show its progress beside it.
        if outputs != nil { words += ["--no-buffer"] + (isShown ? ["--no-progress-meter"] : []) }
        words += line.arguments

        var (mask, child): (sigset_t, pid_t) = (mask, 0)
        let failure = withCStrings(words) {
            postern_start_command($0, &mask, outputs?.writeEnd ?? -1, errors?.writeEnd ?? -1, &child)
        }
        for descriptor in [settings, heads.writeEnd] + [outputs, errors].compactMap({ $0?.writeEnd }) { Glibc.close(descriptor) }
        guard failure == 0 else { throw CommandFailure("\(curl) cannot be run: \(String(cString: strerror(failure)))".plain) }
        self.child = child
        head = heads.readEnd
        if let outputs, let errors { (output, self.errors) = (outputs.readEnd, errors.readEnd) }
    }

    deinit { close() }

    /// Waits for the response, and prints nothing of a refusal.
    ///
    /// - Returns: whether it is one, and curl's output waits.
    func isRefused() -> Bool {
        while head >= 0, !response.isComplete, headBytes.count < CurlHead.longest, held.output.count < CurlHead.longest {
            relay(isResult: false)
        }
        return response.isRefusal
    }

    /// Ends curl, whose output is not the result.
    func discard() {
        kill(child, SIGKILL)
        close()
        _ = ChildEnd.wait(for: child)
    }

    /// Prints all that has not been printed yet, and waits for curl.
    func finish() throws(CommandFailure) -> CommandRun.Ending {
        print(held.output)
        write(errors: held.errors)
        held = ([], [])
        while head >= 0 || output >= 0 || errors >= 0 { relay(isResult: true) }
        guard let status = ChildEnd.wait(for: child) else { throw CommandFailure("curl ended, but its status is unknown") }
        if wasBinary { return .exited(status: Self.notPrinted) }
        let signal = status & 0x7F
        return signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
    }

    /// Reads what is there, or waits for it.
    private func relay(isResult: Bool) {
        var polled = [output, errors, head, interrupts?.descriptor ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, 4, -1) > 0 else { return }
        if polled[3].revents != 0, interrupts?.take() == true { kill(child, SIGTERM) }
        let printed = polled[0].revents == 0 ? [] : read(&output)
        let said = polled[1].revents == 0 ? [] : read(&errors)
        // The head is read last: curl writes it before it prints or reports anything of the response.
        if polled[2].revents != 0 { readHead() }
        guard !isResult else {
            print(printed)
            return write(errors: said)
        }
        while head >= 0, !response.isComplete, isReadable(head) { readHead() }
        held.output += printed
        // Warnings, and the progress until then, are about no response yet.
        if response.isRefusal { held.errors += said } else { write(errors: said) }
    }

    private func readHead() {
        let bytes = read(&head)
        guard !response.isComplete, headBytes.count < CurlHead.longest else { return }
        headBytes += bytes
        // Not after each line: there may be many.
        let news = headBytes.suffix(bytes.count + 2).filter { $0 != 0x0D }
        if zip(news, news.dropFirst()).contains(where: { $0 == 0x0A && $1 == 0x0A }) { response = CurlHead(headBytes) }
    }

    private func isReadable(_ descriptor: Int32) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }

    private func read(_ descriptor: inout Int32) -> [UInt8] {
        if let bytes = DescriptorReader.some(from: descriptor), !bytes.isEmpty { return bytes }
        Glibc.close(descriptor)
        descriptor = -1
        return []
    }

    private func print(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        // As curl does where it sees the terminal itself.
        if protectsTerminal, !wasBinary, passed < 2000, bytes.contains(0) {
            wasBinary = true
            StandardError.write(line: "postern: the output is binary, and could upset the terminal; --output - prints it all the same")
        }
        passed += bytes.count
        guard wasBinary || !FileDescriptorWriter.writeAll(bytes, to: STDOUT_FILENO) else { return }
        // If the reader is gone, curl must be informed, too.
        if output >= 0 { Glibc.close(output) }
        output = -1
    }

    private func write(errors bytes: [UInt8]) { _ = FileDescriptorWriter.writeAll(bytes, to: STDERR_FILENO) }

    private func close() {
        for descriptor in [head, output, errors] where descriptor >= 0 { Glibc.close(descriptor) }
        (head, output, errors) = (-1, -1, -1)
    }
}
