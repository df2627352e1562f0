import PosternCore
import StrictJSON

/// Restarts and crashes.
extension AccountWorld {
    func restart() throws {
        daemon = try daemon.restarted(configuration: ModelProviders.configuration, after: model.now)
        lost()
    }

    /// Nobody waits any more.
    func lost() {
        start()
        model.questions = []
        for index in model.pages.indices { model.pages[index].isAwaited = false }
        for number in pages.keys { pages[number]?.waiting = [] }
    }

    /// The store's connection is dropped between two steps of something: either it was done or it was not.
    func crash(_ choices: [Int]) throws {
        let before = model
        var consumed: Int?
        guard let step = try crashingStep(choices, consumed: &consumed) else { return }
        let reply = daemon.call(step.method, step.parameters, settling: false)
        for _ in 0..<(choices[3] % 40) { daemon.executor.step() }
        daemon.dropStore()
        daemon.settle()
        let replies = consumed.flatMap { pages[$0] }.map { $0.waiting.map(\.reply) } ?? [reply]
        let isAnswered = replies.contains { $0.isFinished && $0.error == nil }
        daemon = try daemon.followed(configuration: ModelProviders.configuration, after: model.now)
        lost()
        if let consumed {
            pages[consumed] = nil
            for index in model.pages.indices where model.pages[index].number == consumed { model.pages[index].isOver = true }
        }
        let after = model
        var restored = before
        (restored.pages, restored.questions) = (after.pages, [])
        if case .user(let uid) = step.outcome { learn(uid, app: step.app) }
        guard let problem = difference(from: after) else {
            if isAnswered || difference(from: restored) != nil { return }
            return settleDoubt(after, restored)
        }
        guard !isAnswered else { throw Mismatch(description: "what was answered is lost in a crash: \(problem)") }
        if case .user(let uid) = step.outcome, before.user(uid) == nil { uids[uid] = nil }
        model = restored
        if let other = difference(from: model) { throw Mismatch(description: "after a crash neither \(problem) nor \(other)") }
    }

    /// Both look the same from outside. They are the same once the apps have signed out, if their users are.
    private func settleDoubt(_ after: AccountModel, _ restored: AccountModel) {
        isOver = after.users != restored.users
        guard after.apps != restored.apps, !isOver else { return }
        for app in Self.apps.indices {
            model.signOut(app: app)
            _ = daemon.call("SignOut", ["app": name(app)])
        }
    }

    private func crashingStep(_ choices: [Int], consumed: inout Int?) throws -> Step? {
        let app = choices[0] % Self.apps.count
        let kinds: [AccountEvent.Kind] = [
            .createUser, .signOut, .changeAddress, .unlink, .unlink, .deleteUser, .linkPassword, .useHandle, .useHandle,
            .answerPage, .answerPage, .answerPage,
        ]
        let kind = kinds[choices[1] % kinds.count]
        let rest = [choices[0], choices[1] / kinds.count, choices[2], 0]
        switch kind {
        case .answerPage:
            guard let index = pending(choices, isCode: false), let real = pages[model.pages[index].number], !model.pages[index].isOver
            else { return nil }
            let page = model.pages[index]
            let account = account(choices[2], at: page.provider)
            let code = providers.code(of: account, nonce: real.nonce)
            let outcome = model.settle(account, page.intent, app: page.app, moment: model.now, asked: .earlier(page.owner))
            consumed = page.number
            let url = "http://127.0.0.1:7678/__/auth/handler?state=\(real.state ?? "")&code=\(code)"
            return Step(method: "DeliverRedirect", parameters: ["url": .string(url)], outcome: outcome, app: page.app)
        case .useHandle:
            let numbers = handles.keys.sorted()
            guard !numbers.isEmpty, let text = handles.removeValue(forKey: numbers[rest[1] % numbers.count]),
                let handle = model.handles.first(where: { handles[$0.number] == nil })
            else { return nil }
            model.handles.removeAll { $0.number == handle.number }
            let intent = AccountModel.Intent.allCases[choices[2] % 3]
            let outcome = model.settle(handle.account, intent, app: app, proof: handle.proof, moment: handle.moment)
            if Self.uses(outcome) { use(handle.number) }
            return Step(
                method: "SignInWithCredential",
                parameters: ["credential": ["handle": .string(text)], "intent": .string(intent.rawValue), "app": name(app)],
                outcome: outcome, app: app)
        default: return step(kind, app, rest)
        }
    }
}
