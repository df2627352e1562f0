import Varlink

extension ConnectionHandler {
    /// Carries out calls until one has no reply yet, or none is left.
    func pump(isPatienceOver: Bool = false) {
        guard machine.turnBegins(calls: listener.limits.unansweredCalls, isPatienceOver: isPatienceOver) else { return }
        var wasUsed = false
        turn: while true {
            switch machine.nextStep(hasRoom: !isCongested, now: loop.now) {
            case .stop: break turn
            case .pause:
                pause()
                break turn
            case .takeCall:
                guard let call = nextCall() else {
                    inputIsEmpty()
                    break turn
                }
                wasUsed = true
                carryOut(call)
                flushOutput()
            }
        }
        machine.turnEnded()
        if machine.hasCallUnderWay { lookAhead() }
        settlePlace(wasUsed: wasUsed)
        flushOutput()
        updateWatch()
    }

    private func inputIsEmpty() {
        if queue.isOverlong {
            end(with: .invalidParameter("message"), queue.expectedEnding)
        } else if phase == .draining || phase == .departed {
            if let call = queue.lastMessage { carryOut(call) }
            // The next turn, after this call's reply, finds nothing and ends here.
            if !machine.hasCallUnderWay { end() }
        }
    }

    private func carryOut(_ waiting: CallQueue.WaitingCall) {
        machine.callTaken(hasMore: queue.bytes > waiting.consumed, now: loop.now)
        let parsed: Result<VarlinkCall, VarlinkCallError> = queue.take(waiting) { bytes in
            do throws(VarlinkCallError) { return .success(try VarlinkCall(parsing: bytes)) } catch { return .failure(error) }
        }
        switch parsed {
        case .success(let call):
            if let number = machine.callStarted(wantsMore: call.more, isOneway: call.oneway, ending: waiting.ending) { start(call, number) }
        case .failure(let error) where error.endsConnection: end(with: error.error, waiting.ending)
        case .failure(let error):
            if !error.isSilent, machine.callRefused(ending: waiting.ending) { write(.error(error.error), continues: false, waiting.ending) }
        }
    }

    private func start(_ call: VarlinkCall, _ number: Int) {
        switch listener.table.route(call) {
        case .service:
            machine.servicePassed(number)
            let handle = VarlinkReplyHandle(connection: self, call: number, wantsMore: call.more, isOneway: call.oneway)
            listener.service.handle(call, from: peer, reply: handle)
        case .reply(let parameters): reply(to: number, .parameters(parameters), continues: false)
        case .error(let error): reply(to: number, .error(error), continues: false)
        }
    }

    // MARK: - For the reply handle

    func isOpen(_ number: Int) -> Bool { machine.isOpen(number) }

    func reply(to number: Int, _ reply: OutgoingReply, continues: Bool) {
        switch machine.replied(to: number, continues: continues) {
        case .drop(let action): perform(action)
        case .write(let ending, let isMisplaced, let isFinal):
            if let ending { write(isMisplaced ? .error(.expectedMore) : reply, continues: !isFinal, ending) }
            if !isFinal {
                if !machine.isInTurn { flushOutput() }
            } else if machine.replyWritten(to: number) {
                forgetCancellation()
                pump()
            }
        }
    }

    func onCancel(of number: Int, _ body: @escaping @Sendable () -> Void) {
        if phase == .closed || phase == .departed {
            body()
        } else if isOpen(number) {
            forgetCancellation()
            cancellation = body
        }
    }

    /// The service has released a call without a final reply.
    func callAbandoned(_ number: Int) { perform(machine.callAbandoned(number)) }

    /// The closure may hold the last reference to its own handle, whose deinit comes back here: so it is released only when nothing is being
    /// changed any more.
    func forgetCancellation() {
        let old = cancellation
        cancellation = nil
        withExtendedLifetime(old) {}
    }

    // MARK: - The place among the connections

    /// - Parameter wasUsed: calls were carried out since it was last idle.
    func settlePlace(wasUsed: Bool = true) {
        guard let slot else { return }
        let isBusy = machine.isBusy(hasWaitingCalls: queue.hasWaitingCalls)
        if isBusy || wasUsed || slot.isBusy { slot.isBusy = isBusy }
    }

    // MARK: - Pauses

    /// Gives others a turn, and the client time to read, before more calls are carried out.
    private func pause() {
        guard machine.pauseBegan() else { return }
        waitForTurn()
    }

    private func waitForTurn() {
        let unread = output.count - written
        timer = loop.schedule(after: isCongested ? listener.limits.patience : .zero) { [self] in
            timer = nil
            // It is reading a long reply, and the machine is slow.
            if isCongested, output.count - written < unread { return waitForTurn() }
            machine.pauseEnded()
            pump(isPatienceOver: true)
        }
    }

    /// Continues without the client, in a coming turn; if a call was under way, once the service has finished it.
    func carryOnAlone() {
        if phase == .departed, !machine.hasUnfinishedWork { pause() }
        settlePlace()
    }

    /// The client has caught up with reading.
    func congestionEnded() {
        guard phase == .serving || phase == .draining, machine.isPaused else { return }
        stopTimer()
        machine.pauseEnded()
        pump()
    }
}
