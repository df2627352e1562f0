/// One call on one connection that waits for a sign-in.
public struct WaiterID: Hashable, Sendable {
    public var rawValue: UInt64
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// A program that waits for a sign-in.
public struct SignInWaiter: Sendable, Equatable {
    public let id: WaiterID
    /// The flow that it asked for; nil if any will do.
    public let flow: ProviderFlow?
    /// Who is to open the page, as far as this program is concerned; nil if it does not say.
    public let presenter: PagePresenter?
    /// It is informed of every change; otherwise only of the end.
    public let wantsEveryEvent: Bool
    /// When it gives up, though the sign-in may continue for others; nil if it waits as long as the sign-in does.
    public internal(set) var deadline: Timestamp?
    /// Its name on the result page; nil if it continues another program's sign-in.
    public let requester: String?
}

/// Who shows the page of a sign-in to the user.
public enum PagePresenter: Sendable {
    case client, daemon
}

/// One life of a sign-in in memory, as it was when something was begun for it. After `Lock` and `Unlock` the same sign-in has another one: an
/// answer to a request of the previous life comes too late.
public struct SignInTicket: Sendable, Equatable {
    public let session: SignInSession
    let generation: UInt64
}

/// What to do for a sign-in. An action that takes time ends with an event of its ``SignInMachine``, named after the arrow.
public enum SignInAction: Sendable, Equatable {
    // MARK: At the provider

    /// → `prepared`, `fail`
    case prepare(SignInTicket, FlowSecrets, ProviderFlow)
    /// A further page. → `pageMade`, `pageNotMade`
    case makePage(PageRenewal)
    /// A code for another device. → `codeGiven`, `codeNotGiven`
    case getCode(SignInTicket)
    /// → `pollAnswered`, `pollFailed`
    case poll(DevicePoll)
    /// The secrets exist nowhere else from here on. → `exchanged`, `exchangeFailed`
    case exchange(SignInTicket, ProviderAnswer, FlowSecrets)
    /// An unwanted grant: its account must be known first, so that none is revoked while a credential of the account is stored.
    case takeBack(Grant, SignInSession)
    /// Like ``takeBack(_:_:)``, if the account is known.
    case discard(CompletedSignIn, SignInSession)

    // MARK: On disk

    case write(SignInTicket, SignInWrite)
    /// The account rules decide, and everything is one transaction. → `kept`, `notKept`
    ///
    /// - Parameter isAbandoned: somebody typed a code that no program waits for.
    case keep(SignInTicket, CompletedSignIn, expiresAt: Timestamp, isAbandoned: Bool)
    /// Sign-ins that nobody can ask for any more.
    case delete([String])

    // MARK: For people and programs

    /// As soon as pages may be opened. → `pageTurnCame`, `pageOpened`
    case openPage(SignInTicket)
    case tell(WaiterID, SignInProgress)
    /// The final reply.
    case fail([WaiterID], SignInSession, SignInFailure)
    /// The final reply: the store is locked. The sign-in can be continued if it is on disk.
    case refuse([WaiterID], SignInSession, isOnDisk: Bool)
    /// The final reply, with what each needs to continue. → `delivered`
    case deliver(SignInDelivery)
    /// Answers browsers that wait for the outcome.
    case wakePages(sessionID: String)
    case note(SignInSession, SignInNote)
}

/// What to write.
public enum SignInWrite: Sendable, Equatable {
    /// → `stored`
    case begin(StoredSignIn)
    /// The promise of a longer wait also holds after a restart. → `extended`; `stored`, if nobody has been informed yet
    case extend(until: Timestamp, for: WaiterID?)
    /// The clock was set: it lasts as long as before, by the clock as it is now. Nothing depends on it.
    case prolong(until: Timestamp)
    /// The callback of a further page will be identified by its key, and by its request token if it has one. → `pageStored`
    case page(MadePage, PageRenewal, FlowSecrets, DeviceAuthorization?)
    /// A code that is about to be shown. → `codeStored`
    case newCode(DeviceAuthorization, FlowSecrets)
    /// The code has another interval, or is no longer valid.
    case code(DeviceAuthorization?, FlowSecrets)
    /// The states are used up, once: two runs of the daemon never send one code twice. → `exchangingMarked`
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

/// A page that is to be made for a sign-in that waits for the user.
public struct PageRenewal: Sendable, Equatable {
    public let ticket: SignInTicket
    public let secrets: FlowSecrets
    /// Who wants it.
    public let waiter: WaiterID
    /// The previous page is lost, but its request token (OAuth 1.0a) is still valid and can be used again. A page that may be open
    /// somewhere is not repeated: its token may be used up in another browser.
    public let isOfKeptToken: Bool
}

/// A page as it was made.
public struct MadePage: Sendable, Equatable {
    public let page: AuthorizationPage
    /// What identifies its callback (``CallbackKey``); nil if that was known before.
    public let key: [UInt8]?
    /// For OAuth 1.0a; nil for other providers, and if it was known before.
    public let requestToken: OAuth1Token?

    public init(page: AuthorizationPage, key: [UInt8]?, requestToken: OAuth1Token? = nil) {
        self.page = page
        self.key = key
        self.requestToken = requestToken
    }
}

/// How a sign-in begins at the provider.
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

/// One poll of the token endpoint: did the user answer?
public struct DevicePoll: Sendable, Equatable {
    public let ticket: SignInTicket
    public let device: DeviceAuthorization
    public let proofKey: DPoPKey?
}

/// The progress of a sign-in, for those who wait for it.
public struct SignInProgress: Sendable, Equatable {
    public var sessionID: String
    public var phase: SignInSession.Phase
    /// When it ends. Without a page, that is when the code expires.
    public var expiresAt: Timestamp
    /// Contains the state: for the program that asked, and not for any log.
    public var page: Secret?
    /// Why no browser shows it, if one was to; nil if none was, or it does.
    public var pageProblem: String?
    public var verificationURI: String?
    public var verificationURIComplete: String?
    public var userCode: String?
    /// What is asked for because of a server's demand: to be shown before the page is opened. Nil for other sign-ins.
    public var scopes: [String]?
}

/// A result to be delivered to everybody who waits.
public struct SignInDelivery: Sendable, Equatable {
    public let ticket: SignInTicket
    public let outcome: SignInOutcome
    public let waiters: [WaiterID]
    public let expiresAt: Timestamp
}

/// What happened, for the log and for those who monitor the daemon.
public enum SignInNote: Sendable, Equatable {
    case asked, joined
    /// A program waits for it again: after a restart of the daemon, or after the last one had left. Otherwise it waits in addition to
    /// others.
    case takenUp(isFirst: Bool)
    /// A page or a code waits for the user.
    case waits(ProviderFlow)
    case codeGiven
    case pageOpened
    case pageNotOpened(String)
    case pageNotMade(ProviderFailure)
    case codeNotGiven(ProviderFailure)
    /// The code is no longer valid; the page still waits.
    case codeOver(SignInFailure)
    case callbackReceived
    case completed(CompletedSignIn)
    case refused(AccountRefusal)
    case failed(SignInFailure)
    case delivered
    /// A grant arrived when the store was closed: it is neither stored nor revoked.
    case grantLost
}
