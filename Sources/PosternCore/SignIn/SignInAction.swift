/// One call on one connection that waits for a sign-in.
public struct WaiterID: Hashable, Sendable {
    public var rawValue: UInt64
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// A program that waits for a sign-in.
public struct SignInWaiter: Sendable, Equatable {
    public let id: WaiterID
    /// The way to the provider that it asked for; nil if it takes what there is.
    public let flow: ProviderFlow?
    /// Who opens the page, if this program alone were to say; nil if it does not say.
    public let presenter: PagePresenter?
    /// It learns of every change; else of the end alone.
    public let wantsEveryEvent: Bool
    /// The moment at which it gives up, though the sign-in may live on for others; nil if it waits as long as the sign-in does.
    public let deadline: Timestamp?
    /// What it is called on the result page; nil for one that takes up what another asked for.
    public let requester: String?

    public init(
        id: WaiterID, flow: ProviderFlow?, presenter: PagePresenter?, wantsEveryEvent: Bool, deadline: Timestamp?, requester: String? = nil
    ) {
        self.id = id
        self.flow = flow
        self.presenter = presenter
        self.wantsEveryEvent = wantsEveryEvent
        self.deadline = deadline
        self.requester = requester
    }
}

/// Who shows the page of a sign-in to the user.
public enum PagePresenter: Sendable {
    case client, daemon
}

/// One life of a sign-in in memory. After `Lock` and `Unlock` the same sign-in has another one: an answer to what was asked in the
/// life before comes too late, and does nothing to it.
public struct SignInTicket: Sendable, Hashable {
    public let sessionID: String
    let generation: UInt64
}

/// What to do for a sign-in. What takes time ends with an event of ``SignIns``, named behind the arrow.
public enum SignInAction: Sendable, Equatable {
    // MARK: At the provider

    /// → `prepared`, `notPrepared`
    case prepare(SignInTicket, SignInSession, FlowSecrets, ProviderFlow)
    /// A further page. → `pageMade`, `pageNotMade`
    case makePage(PageRenewal)
    /// A code for another device. → `codeGiven`, `codeNotGiven`
    case getCode(SignInTicket, SignInSession)
    /// → `pollAnswered`, `pollFailed`
    case poll(DeviceQuestion)
    /// The secrets are nowhere else from here on. → `exchanged`, `exchangeFailed`
    case exchange(SignInTicket, SignInSession, ProviderAnswer, FlowSecrets)
    /// A grant that nobody wants: whose it is must be known first, so that none is revoked where a credential of the account is kept.
    case takeBack(Grant, SignInSession)
    /// As ``takeBack(_:_:)``, where it is known.
    case discard(CompletedSignIn, SignInSession)

    // MARK: On disk

    case write(SignInTicket, SignInWrite)
    /// The account rules decide, and all of it is one transaction. → `kept`, `notKept`
    case keep(SignInTicket, SignInSession, CompletedSignIn, expiresAt: Timestamp)
    /// Sign-ins that nobody can ask for any more.
    case delete([String])

    // MARK: For people and programs

    /// When its turn comes. → `pageTurnCame`, `pageOpened`
    case openPage(SignInTicket, SignInQuestion)
    case tell([WaiterID], SignInProgress)
    /// The last word.
    case fail([WaiterID], SignInSession, SignInFailure)
    /// The last word: the store is locked. The sign-in can be taken up again where it is on disk.
    case refuse([WaiterID], SignInSession, isOnDisk: Bool)
    /// The last word, with what each needs to go on. → `delivered`
    case deliver(SignInDelivery)
    /// Browsers that wait for the outcome.
    case wakePages(sessionID: String)
    case note(SignInSession, SignInNote)
}

/// What is to be on disk.
public enum SignInWrite: Sendable, Equatable {
    /// → `stored`
    case begin(StoredSignIn)
    /// A promise of more patience holds after a restart, too. → `extended`; `stored`, where it is not told to anybody yet
    case extend(until: Timestamp, for: WaiterID?)
    /// The callback of a further page will be known by its key, and by its request token if it has one. → `pageStored`
    case page(MadePage, PageRenewal, FlowSecrets, DeviceAuthorization?)
    /// A code that is about to be shown. → `codeStored`
    case newCode(DeviceAuthorization, FlowSecrets)
    /// The code has another interval, or is over.
    case code(DeviceAuthorization?, FlowSecrets)
    /// The states are used up, once: two lives of the daemon never send one code twice. → `exchangingMarked`
    case exchanging
    /// → `endStored`
    case end(SignInFailure)
    case delivered
}

/// What a browser or another device brought.
public enum ProviderAnswer: Sendable, Equatable {
    case callback(CallbackParameters)
    case grant(Grant)
}

/// A page that is to be made for a sign-in that waits.
public struct PageRenewal: Sendable, Equatable {
    public let ticket: SignInTicket
    public let session: SignInSession
    public let secrets: FlowSecrets
    /// Who wants it.
    public let waiter: WaiterID
    /// The page before is lost, and what it was made of may do once more: a request token of OAuth 1.0a, which is still valid. A page
    /// that is somewhere gets no second life; its token may be used up in another browser.
    public let isOfKeptToken: Bool
}

/// A page as it was made.
public struct MadePage: Sendable, Equatable {
    public let page: AuthorizationPage
    /// What its callback will be known by (``CallbackKey``); nil if that was known before.
    public let key: [UInt8]?
    /// Of OAuth 1.0a; nil for other providers, and where it was known before.
    public let requestToken: OAuth1Token?

    public init(page: AuthorizationPage, key: [UInt8]?, requestToken: OAuth1Token? = nil) {
        self.page = page
        self.key = key
        self.requestToken = requestToken
    }
}

/// A way to the provider that a sign-in begins with.
public enum PreparedWay: Sendable, Equatable {
    case page(MadePage)
    case code(DeviceAuthorization)

    var flow: ProviderFlow {
        switch self {
        case .page: .browser
        case .code: .device
        }
    }
}

/// One question to the token endpoint: did the user answer?
public struct DeviceQuestion: Sendable, Equatable {
    public let ticket: SignInTicket
    public let session: SignInSession
    public let device: DeviceAuthorization
    public let proofKey: DPoPKey?
}

/// Where a sign-in that goes on stands, for who waits for it.
public struct SignInProgress: Sendable, Equatable {
    public var sessionID: String
    public var phase: SignInSession.Phase
    /// When it is over. Without a page the code's end is the sign-in's.
    public var expiresAt: Timestamp
    /// Holds the state: for the program that asked, and for no log.
    public var page: Secret?
    /// Why no browser shows it, where one was to; nil if none was, or it does.
    public var pageProblem: String?
    public var verificationURI: String?
    public var verificationURIComplete: String?
    public var userCode: String?
}

/// A result that is to be handed to everybody who waits.
public struct SignInDelivery: Sendable, Equatable {
    public let ticket: SignInTicket
    public let session: SignInSession
    public let outcome: SignInOutcome
    public let waiters: [WaiterID]
    public let expiresAt: Timestamp
}

/// What happened, for the log and for who follows the daemon.
public enum SignInNote: Sendable, Equatable {
    case asked, joined
    /// A program waits for it again: after a restart of the daemon, or after the last one had gone. Else it waits beside others.
    case takenUp(isFirst: Bool)
    /// A page or a code waits for the user.
    case waits(ProviderFlow)
    case codeGiven
    case pageOpened
    case pageNotOpened(String)
    case pageNotMade(SignInFailure)
    case codeNotGiven(SignInFailure)
    /// The code is no longer valid; the page still waits.
    case codeOver(SignInFailure)
    case callbackReceived
    case completed(CompletedSignIn)
    case refused(AccountRefusal)
    case failed(SignInFailure)
    case delivered
    /// A grant came when the store was closed: it is neither kept nor revoked.
    case grantLost
}
