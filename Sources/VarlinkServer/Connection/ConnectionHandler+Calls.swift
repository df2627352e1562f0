import Varlink

extension ConnectionHandler {
    /// After this many nanoseconds it is the turn of the others: a call may take long.
    private static let longestBurst: UInt64 = 1_000_000

    /// Carries out calls until one has no reply yet, or none is left.
    func pump() {
        guard !isPumping else { return }
        isPumping = true
        let mostCalls = listener.limits.unansweredCalls
        var budget = mostCalls
        var deadline = UInt64.max
        while current == nil, resumption == nil, phase == .serving || phase == .draining || phase == .departed {
            if budget == 0 || !(hasRoomForReplies || isPatienceOver) || (deadline < .max && loop.now > deadline) {
                yield()
                break
            }
            guard let call = nextWaitingCall() else {
                inputIsEmpty()
                break
            }
            // Most calls arrive alone, and are not timed.
            if deadline == .max, input.count > call.consumed { deadline = loop.now + Self.longestBurst }
            budget -= 1
            carryOut(call)
            flushOutput()
        }
        isPumping = false
        if current != nil { lookAhead() }
        settlePlace(wasUsed: budget < mostCalls)
        flushOutput()
        updateWatch()
    }

    private func inputIsEmpty() {
        if isOverlong {
            end(with: .invalidParameter("message"), scanner.expectsNUL ? .nul : nil)
        } else if phase == .draining || phase == .departed {
            if let call = lastMessage() { carryOut(call) }
            // The next round, after this call's reply, finds nothing and ends here.
            if current == nil { end() }
        }
    }

    private func carryOut(_ waiting: WaitingCall) {
        mayOweNUL = false
        let parsed: Result<VarlinkCall, VarlinkCallError> = input.withBytes { bytes in
            do throws(VarlinkCallError) {
                return .success(try VarlinkCall(parsing: UnsafeRawBufferPointer(rebasing: bytes[..<waiting.length])))
            } catch { return .failure(error) }
        }
        input.drop(waiting.consumed)
        switch parsed {
        case .success(let call): if phase != .departed || call.oneway { start(call, waiting.ending) }
        case .failure(let error) where error.endsConnection: end(with: error.error, waiting.ending)
        case .failure(let error):
            if phase != .departed, !error.isSilent { write(.error(error.error), continues: false, waiting.ending) }
        }
    }

    private func start(_ call: VarlinkCall, _ ending: MessageEnding) {
        lastNumber += 1
        let number = lastNumber
        current = CurrentCall(number: number, call: (call.more, call.oneway), ending: ending)
        switch listener.table.route(call) {
        case .service:
            unfinished = number
            let handle = VarlinkReplyHandle(connection: self, call: number, wantsMore: call.more, isOneway: call.oneway)
            listener.service.handle(call, from: peer, reply: handle)
        case .reply(let parameters): reply(to: number, .parameters(parameters), continues: false)
        case .error(let error): reply(to: number, .error(error), continues: false)
        }
    }

    // MARK: - For the reply handle

    func isOpen(_ number: Int) -> Bool { current?.number == number }

    func reply(to number: Int, _ reply: OutgoingReply, continues: Bool) {
        if !continues { workEnded(number) }
        guard let current, current.number == number else { return }
        let isMisplaced = continues && !current.call.more
        if !current.call.oneway {
            write(isMisplaced ? .error(.expectedMore) : reply, continues: continues && !isMisplaced, current.ending)
        }
        // Writing may have closed the connection, and with it the call.
        guard isOpen(number) else { return }
        if continues && !isMisplaced {
            if !isPumping { flushOutput() }
        } else {
            replaceCurrent(nil)
            pump()
        }
    }

    func onCancel(of number: Int, _ body: @escaping @Sendable () -> Void) {
        if phase == .closed || phase == .departed {
            body()
        } else if isOpen(number), var call = current {
            call.onCancel = body
            replaceCurrent(call)
        }
    }

    /// The service has released a call without a final reply. That is a fault of ours; the client sees it at once.
    func callAbandoned(_ number: Int) {
        workEnded(number)
        guard isOpen(number) else { return }
        replaceCurrent(nil)
        end()
    }

    /// The closure for cancellation may hold the last reference to its own handle, whose deinit reads `current`: so it is released only
    /// when `current` has its new value.
    func replaceCurrent(_ call: CurrentCall?) {
        let old = current
        current = call
        withExtendedLifetime(old) {}
    }

    // MARK: - The place among the connections

    /// The service has finished the call, whether or not a client still waits for it.
    private func workEnded(_ number: Int) {
        guard unfinished == number else { return }
        unfinished = nil
        if phase == .closed {
            settlePlace()
        } else if phase == .departed, current == nil {
            // It was under way when its client disconnected.
            pump()
        }
    }

    /// A connection is busy if a call is under way or waits for its turn. An incomplete message does not count, nor does a client that is
    /// being sent the reason why its connection ends.
    ///
    /// - Parameter wasUsed: calls were carried out since it was last idle.
    func settlePlace(wasUsed: Bool = true) {
        guard let slot else { return }
        let isBusy = unfinished != nil || (phase != .ending && (current != nil || !waiting.isEmpty || resumption != nil))
        if isBusy || wasUsed || slot.isBusy { slot.isBusy = isBusy }
    }

    // MARK: - Pauses

    /// Gives others a turn, and the client time to read, before more calls are carried out.
    private func yield() {
        let pause = hasRoomForReplies ? .zero : listener.limits.patience
        let unread = output.count - written
        resumption = loop.schedule(after: pause) { [self] in
            resumption = nil
            // It is reading a long reply, and the machine is slow.
            if !hasRoomForReplies, output.count - written < unread { return yield() }
            isPatienceOver = true
            pump()
            isPatienceOver = false
        }
    }

    /// Continues without the client, in a coming turn; if a call was under way, once the service has finished it.
    func carryOnAlone() {
        if phase == .departed, unfinished == nil, resumption == nil { yield() }
        settlePlace()
    }

    /// The client has caught up with reading.
    func congestionEnded() {
        guard phase == .serving || phase == .draining, let pause = resumption else { return }
        pause.cancel()
        resumption = nil
        pump()
    }
}
