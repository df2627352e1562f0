import StrictJSON

/// Pages and codes.
extension AccountWorld {
    func openPage(_ app: Int, _ choices: [Int], isCode: Bool) throws {
        let provider = AccountModel.Provider(rawValue: choices[1] % 3) ?? .plain
        let intents: [AccountModel.Intent] = [.signIn, .signIn, .link, .link, .link, .reauthenticate, .credential, .keep]
        let intent = intents[choices[2] % intents.count]
        let app = intent == .keep ? 0 : app
        let isAboutUser = intent == .link || intent == .reauthenticate
        let owner = isAboutUser || isCode && intent == .signIn ? model.owner(app) : nil
        var parameters: JSONObject = [
            "providerID": .string("\(provider)"), "intent": .string(intent.rawValue), "presentation": "client",
        ]
        if intent != .keep { parameters["app"] = name(app) }
        if isCode { parameters["flow"] = "device" }
        let reply = daemon.call("SignIn", parameters, more: true)
        guard !isAboutUser || owner != nil else { return try check(reply, .refused("NoCurrentUser")) }
        guard let event = reply.event, let sessionID = event["sessionID"]?.stringValue else {
            throw Mismatch(description: "no page was opened: \(reply.errorName ?? "no answer") \(reply.message)")
        }
        let waiting = model.pages.first {
            !$0.isOver && $0.provider == provider && $0.intent == intent && $0.app == app && $0.isCode == isCode && $0.owner == owner
                && (!isCode || $0.isAwaited)
        }
        if let waiting, let known = pages[waiting.number] {
            guard known.sessionID == sessionID else { throw Mismatch(description: "a sign-in did not join \(waiting)") }
            // A code ends when its provider said, whoever joins.
            let end = isCode ? waiting.expiresAt : max(waiting.expiresAt, model.now + 600)
            pages[waiting.number]?.waiting.append((reply, min(end, model.now + 600)))
            if let index = model.pages.firstIndex(where: { $0.number == waiting.number }) {
                model.pages[index].isAwaited = true
                model.pages[index].expiresAt = end
            }
            return
        }
        if let joined = pages.first(where: { $0.value.sessionID == sessionID }) {
            throw Mismatch(description: "a sign-in joined page \(joined.key), which is not its own")
        }
        let number = model.newNumber()
        model.pages.append(
            AccountModel.Page(
                number: number, provider: provider, intent: intent, app: app, isCode: isCode, owner: owner, expiresAt: model.now + 600))
        let url = event["authorizationURL"]?.stringValue
        pages[number] = RealPage(
            sessionID: sessionID, state: url?.query("state"), nonce: url?.query("nonce"), userCode: event["userCode"]?.stringValue,
            waiting: [(reply, model.now + 600)])
    }

    func pending(_ choices: [Int], isCode: Bool) -> Int? {
        let open = model.pages.indices.filter { model.pages[$0].isCode == isCode }
        return open.isEmpty ? nil : open[choices[0] % open.count]
    }

    func leave(_ choices: [Int]) {
        let open = model.pages.indices.filter { !model.pages[$0].isOver }
        guard !open.isEmpty else { return }
        let index = open[choices[0] % open.count]
        for (reply, _) in pages[model.pages[index].number]?.waiting ?? [] { daemon.leave(reply) }
        daemon.settle()
        pages[model.pages[index].number]?.waiting = []
        model.pages[index].isAwaited = false
    }

    func answer(_ choices: [Int], isCode: Bool) throws {
        guard let index = pending(choices, isCode: isCode) else { return }
        let page = model.pages[index]
        guard let real = pages[page.number] else { return }
        let account = account(choices[1], at: page.provider)
        if isCode {
            // One that expired was replaced, which the programs that wait are told.
            let told = real.waiting.compactMap { $0.reply.event?["userCode"]?.stringValue }.last
            guard !page.isOver, let userCode = told ?? real.userCode else { return }
            providers.approve(userCode, account)
            for _ in 0..<11 where !providers.isTaken(userCode) {
                pass(1)
                model.endOwnedPages()
                if model.pages[index].isOver { return }
            }
            guard providers.isTaken(userCode) else { throw Mismatch(description: "nobody asked about the code of page \(page.number)") }
        } else {
            let code = providers.code(of: account, nonce: real.nonce)
            let delivered = daemon.browserReturns("state=\(real.state ?? "")&code=\(code)")
            guard !page.isOver else {
                // At most it shows once more how it ended.
                guard providers.isUnused(code) else { throw Mismatch(description: "page \(page.number) is not over") }
                return
            }
            guard delivered.error == nil else { throw Mismatch(description: "page \(page.number) is over: \(delivered.message)") }
        }
        model.pages[index].isOver = true
        let asked: AccountModel.Asked = isCode && !page.isAwaited ? .abandoned(page.owner) : .earlier(page.owner)
        model.forgetQuestion()
        let outcome = model.settle(account, page.intent, app: page.app, moment: model.now, asked: asked)
        if case .user = outcome { model.takeQuestion(of: page.number) }
        for (reply, until) in real.waiting where until <= model.now { try check(reply, .refused("SignInTimedOut")) }
        let answered = real.waiting.filter { $0.until > model.now }.map(\.reply)
        for reply in answered { try check(reply, outcome) }
        if case .user(let uid) = outcome, page.intent != .credential { learn(uid, app: page.app) }
        if case .user = outcome {
            try compareQuestion(on: page.number, sessionID: real.sessionID, with: model.questions.first { $0.number == page.number })
        }
        for reply in answered {
            note(reply, outcome, account, proof: .flow, moment: model.now, page.intent, app: page.app, owner: page.owner)
            if page.intent != .credential, let credential = reply.event?["credential"]?.objectValue, let token = credential["idToken"]?.stringValue,
                let nonce = credential["rawNonce"]?.stringValue
            {
                ownIDTokens.append((token, nonce))
            }
        }
    }

    /// Somebody finds an app open, and links an account of theirs: what single steps come to too seldom.
    func linkUnseen(_ app: Int, _ choices: [Int]) throws {
        guard let user = model.current(app)?.user, !user.isAnonymous else { return }
        pass(301)
        model.endOwnedPages()
        let providers = AccountModel.Provider.allCases.filter { user.identity(at: $0) == nil }
        guard !providers.isEmpty else { return }
        try answerPage(app, providers[choices[1] % providers.count], .link, owner: choices[2] % Self.principals, number: choices[3] % 2)
    }

    /// Somebody signs in with an account that they have.
    func visit(_ app: Int, _ choices: [Int]) throws {
        let identities = model.users.flatMap(\.identities)
        guard !identities.isEmpty else { return }
        let identity = identities[choices[1] % identities.count]
        if choices[2].isMultiple(of: 2) { pass(1) }
        model.endOwnedPages()
        try answerPage(app, identity.provider, .signIn, owner: identity.owner, number: identity.subject.hasSuffix("n1") ? 1 : 0)
    }

    private func answerPage(
        _ app: Int, _ provider: AccountModel.Provider, _ intent: AccountModel.Intent, owner: Int, number: Int
    ) throws {
        try openPage(app, [0, provider.rawValue, intent == .link ? 2 : 0, 0], isCode: false)
        let open = model.pages.filter { !$0.isCode }
        let place = open.lastIndex { !$0.isOver && $0.provider == provider && $0.intent == intent && $0.app == app }
        // Of an account without an address, as ``account(_:at:)`` reads the numbers.
        if let place { try answer([place, owner + Self.principals * (18 + number)], isCode: false) }
    }

    private func compareQuestion(on number: Int, sessionID: String, with question: AccountModel.Question?) throws {
        let asked = (daemon.asks(on: sessionID)?.items ?? []).map { "\($0.identity.providerID)/\($0.identity.subject) \($0.isLost)" }
        let expected = (question?.items ?? []).map { "\($0.identity.provider)/\($0.identity.subject) \($0.isLost)" }
        if Set(asked) != Set(expected) { throw Mismatch(description: "page \(number) asks about \(asked), and in the model about \(expected)") }
    }

    /// The person answers what a page asks, perhaps late.
    func answerLink(_ choices: [Int]) throws {
        guard !model.questions.isEmpty else { return }
        let index = choices[0].isMultiple(of: 3) ? choices[1] % model.questions.count : model.questions.count - 1
        let question = model.questions[index]
        let open = question.items.indices.filter { question.items[$0].isOpen }
        guard !open.isEmpty, let sessionID = pages[question.number]?.sessionID else { return }
        let item = open[choices[2] % open.count]
        let (keeps, provider) = (choices[3].isMultiple(of: 2), "\(question.items[item].identity.provider)")
        let outcome = model.answer(keeps: keeps, item: item, of: index)
        let status = daemon.answer(keeps ? .keep : .remove, about: provider, on: sessionID)
        switch (outcome, status) {
        case (.kept, .answered(.keep)), (.removed, .answered(.remove)), (.over, .over): break
        // The page is forgotten with what it was about, or after a while.
        case (.over, nil): break
        default: throw Mismatch(description: "the page says \(status.map { "\($0)" } ?? "nothing"), and the model \(outcome)")
        }
    }
}
