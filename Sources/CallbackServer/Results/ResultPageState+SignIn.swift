import PosternCore

extension ResultPageState {
    /// - Parameter result: nil if no sign-in has the page.
    init(_ result: SignInResult?) {
        guard let result else {
            self = .unknown
            return
        }
        let name = result.displayName(ofProvider: result.providerID)
        var summary = ResultSummary(
            providerName: name, programName: result.requester, purpose: ResultSummary.Purpose(result.intent))
        summary.otherPrograms = result.otherRequesters
        switch result.outcome {
        case nil:
            // The page ID is created for the browser that came back; nobody has it before.
            self = .finishing(providerName: name)
        case .completed(let completed), .kept(let completed):
            summary.show(completed)
            summary.review = result.outcome?.review.map { ResultSummary.Review($0, of: result) }
            self = .completed(summary)
        case .refused(let refusal, let completed):
            summary.show(refusal, completed.profile.identity, result)
            self = .failed(summary, FailurePage(refusal))
        case .failed(let failure):
            summary.providerID = result.providerID
            switch failure {
            case .provider(let failure): summary.providerMessage = failure.providerMessage(wasDeclined: result.wasDeclined)
            case .ended(let ending): (summary.displayName, summary.askedFor) = (ending.signedIn, ending.asked)
            }
            self = .failed(summary, FailurePage(failure, wasDeclined: result.wasDeclined))
        }
    }
}

extension ResultSummary {
    fileprivate mutating func show(_ completed: CompletedSignIn) {
        let identity = completed.profile.identity
        displayName = identity.displayName ?? identity.username ?? identity.subject
        email = identity.email
        userName = completed.user.flatMap { $0.displayName ?? $0.email }
    }

    fileprivate mutating func show(_ refusal: AccountRefusal, _ identity: Identity, _ result: SignInResult) {
        displayName = ExpectedAccount.name(of: identity)
        email = identity.email
        if refusal.reason == .providerAlreadyLinked { linkedAccount = refusal.account }
        ownersWays = refusal.providerIDs.map {
            $0 == User.passwordProviderID ? .password : .provider(name: result.displayName(ofProvider: $0))
        }
    }
}

extension ResultSummary.Purpose {
    fileprivate init(_ intent: Intent?) {
        switch intent {
        case .signIn, .credential, nil: self = .signIn
        case .link: self = .link
        case .reauthenticate: self = .reauthenticate
        }
    }
}

extension ResultSummary.Review {
    fileprivate init(_ review: LinkReview, of result: SignInResult) {
        let links = review.items.map { item in
            let identity = item.identity
            return ResultSummary.Link(
                providerName: result.displayName(ofProvider: identity.providerID),
                displayName: identity.displayName ?? identity.username ?? identity.subject, name: identity.username ?? identity.subject,
                email: identity.emailVerified == true ? identity.email : nil,
                at: identity.link?.at, isLost: item.isLost, status: item.status)
        }
        self.init(pageID: result.pageID, links: links)
    }
}
