import Glibc
import Reactor
import StrictJSON
import Varlink

extension ConnectionHandler {
    func write(_ reply: OutgoingReply, continues: Bool, _ ending: MessageEnding) {
        // What was there before this reply counts, not the reply: it may be long, and its client is about to read it.
        if countedOutput - written > listener.limits.unreadBytes { return cutOff() }
        takeOutput()
        switch reply {
        case .parameters(let parameters): VarlinkReply.serialize(parameters, continues: continues, into: &output)
        case .failure(let name, let parameters): VarlinkReply.serialize(error: name, parameters, into: &output)
        }
        output.append(ending.rawValue)
    }

    func write(_ ending: MessageEnding) {
        takeOutput()
        output.append(ending.rawValue)
    }

    /// Passes the output to the socket, once for all the replies of a burst.
    func flushOutput() {
        guard written < output.count, phase != .closed, phase != .departed else { return }
        if machine.isInTurn, output.count - written < Self.largeBurst { return }
        if awaited.contains(.writable) { noteCongestion() } else { sendOutput() }
        if countedOutput > 0 { listener.outputGrew() }
    }

    /// More than this is worth a system call of its own.
    private static let largeBurst = 64 << 10

    /// Above the first limit, calls wait for the client to read, until less than the second one is left.
    private static let congestion = (begin: 256 << 10, end: 64 << 10)

    private func sendOutput() {
        while written < output.count {
            let count = output.withUnsafeBytes {
                send(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written, CInt(MSG_NOSIGNAL))
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                // Nobody reads it. What this client has sent is still processed.
                hangUp()
                dropOutput()
            }
        }
        let unread = output.count - written
        if unread == 0 {
            dropOutput()
        } else {
            if written > Self.largeBurst, written > unread { shrinkOutput() }
            noteCongestion()
        }
        if !machine.isInTurn { updateWatch() }
    }

    /// Some of the output stays here.
    private func noteCongestion() {
        isCongested = output.count - written > (isCongested ? Self.congestion.end : Self.congestion.begin)
        countOutput()
    }

    private func countOutput() {
        listener.outputChanged(of: self, by: output.count - countedOutput)
        countedOutput = output.count
    }

    /// The socket accepts more.
    func outputMayGoOn() {
        let wasCongested = isCongested
        sendOutput()
        if written == output.count { endIfTold() }
        if wasCongested, !isCongested { congestionEnded() }
    }

    // MARK: - The buffer

    /// Takes the listener's buffer, which all connections share as long as their clients read.
    private func takeOutput() {
        if output.isEmpty { swap(&output, &listener.spareOutput) }
    }

    /// Releases the memory of what has been read.
    private func shrinkOutput() {
        let rest = Array(output[written...])
        wipeOutput()
        output = rest
        written = 0
    }

    private func wipeOutput() { output.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: 0) } }

    /// Gives the buffer back. It is used for the next reply, and this one may contain a secret.
    func dropOutput() {
        written = 0
        isCongested = false
        guard !output.isEmpty else { return }
        wipeOutput()
        output.removeAll(keepingCapacity: true)
        // A large reply must not keep its memory.
        if output.capacity <= Self.largeBurst, listener.spareOutput.capacity == 0 { swap(&output, &listener.spareOutput) }
        output = []
        if countedOutput > 0 { countOutput() }
    }

    // MARK: - The end

    /// Its client has left too much unread, alone or with others.
    func cutOff() {
        listener.willCutOff(self)
        close()
    }

    /// Answers what cannot be carried out, and ends the connection.
    ///
    /// - Parameter ending: nil if it is unknown which one the client waits for. A newline is white space to a program, and a NUL invisible
    ///   to a person.
    func end(with error: VarlinkError, _ ending: MessageEnding? = nil) {
        write(.error(error), continues: false, ending ?? .newline)
        guard phase != .closed else { return }
        if ending == nil { write(MessageEnding.nul) }
        end()
    }

    func end() { perform(machine.ended()) }

    /// Flushes the output and closes: at once if the client sends no more, otherwise after it has had time to see the end, because closing
    /// a socket with unread bytes loses the answer.
    func flushAndClose() {
        queue.removeAll()
        timer?.cancel()
        timer = loop.schedule(after: listener.limits.lingering) { [self] in close() }
        sendOutput()
        if phase == .ending, written == output.count { endIfTold() }
        settlePlace()
        updateWatch()
    }

    /// The client has received everything.
    private func endIfTold() {
        guard phase == .ending else { return }
        if machine.inputHasEnded { close() } else { shutdown(descriptor, CInt(SHUT_WR)) }
    }
}
