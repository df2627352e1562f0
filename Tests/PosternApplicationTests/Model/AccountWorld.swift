import PosternApplication
import PosternCore
import PosternCrypto
import StrictJSON

@testable import PosternStore

/// The application and the model side by side: each event happens to both.
final class AccountWorld {
    struct Mismatch: Error, CustomStringConvertible {
        var description: String
    }

    /// What the daemon gave for a page of the model.
    struct RealPage {
        var sessionID: String
        var state: String?
        var nonce: String?
        var userCode: String?
        /// Of the programs that wait, until when.
        var waiting: [(reply: RecordedReply, until: Int64)]
    }

    static let apps = ["one", "two"]
    static let principals = 3

    var model = AccountModel()
    var daemon: TestApplication
    let providers: ModelProviders
    var uids: [Int: String] = [:]
    var pages: [Int: RealPage] = [:]
    var handles: [Int: String] = [:]
    /// Of credentials that programs asked for alone: the ID token that came with a handle. Only one of several with it can be used.
    var idTokens: [Int: String] = [:]
    var resolvers: [Int: (resolver: String, factor: String)] = [:]
    var authenticators: [Int: Authenticator] = [:]
    /// By the model's user: the factor's `uid` here.
    var factors: [Int: String] = [:]
    /// ID tokens that came with sign-ins, with their nonces.
    var ownIDTokens: [(token: String, nonce: String)] = []
    var passwords = 0
    var events = 0
    /// Who has signed in at the provider of the named account.
    var named = NamedAccounts()
    /// What a crash left cannot be told from what it took: nothing more is compared.
    var isOver = false

    init() throws {
        providers = try ModelProviders()
        daemon = try TestApplication(ModelProviders.configuration)
        start()
    }

    func start() {
        let clock = daemon.clock
        providers.now = { clock.now.seconds }
        providers.serve(daemon)
    }

    // MARK: Running

    /// - Throws: ``Mismatch`` where the daemon does something else than the model.
    func happens(_ event: AccountEvent) throws {
        guard !isOver else { return }
        events += 1
        model.endOwnedPages()
        try perform(event)
        model.endOwnedPages()
        daemon.settle()
        if let problem = difference(from: model) { throw Mismatch(description: problem) }
        if let problem = usedHandle(in: model) { throw Mismatch(description: problem) }
        if let problem = providers.problem { throw Mismatch(description: problem) }
        if let violation = model.check() { throw Mismatch(description: "the model itself: \(violation)") }
    }

    func perform(_ event: AccountEvent) throws {
        let choices = event.choices
        let app = choices[0] % Self.apps.count
        switch event.kind {
        case .openPage: try openPage(app, choices, isCode: false)
        case .openCode: try openPage(app, choices, isCode: true)
        case .answerPage: try answer(choices, isCode: false)
        case .answerCode: try answer(choices, isCode: true)
        case .leave: leave(choices)
        case .answerLink: try answerLink(choices)
        case .linkUnseen: try linkUnseen(app, choices)
        case .visit: try visit(app, choices)
        case .useHandle: try useHandle(app, choices)
        case .presentIDToken: try present(app, choices, isIDToken: true)
        case .presentAccessToken: try present(app, choices, isIDToken: false)
        case .presentOwnIDToken: try presentOwn(app, choices)
        case .resolve: try resolve(choices)
        case .createUser, .linkPassword, .changeAddress, .changePassword, .unlink, .signOut, .deleteUser, .signInAnonymously:
            guard let step = step(event.kind, app, choices) else { return }
            try check(daemon.call(step.method, step.parameters), step.outcome)
        case .signInByPassword: try signInByPassword(app, choices)
        case .enroll: try enroll(app)
        case .passMoment: pass(7 + Int64(choices[1] % 40))
        case .passMinutes: pass(290 + Int64(choices[1] % 30))
        case .passMonth: pass(choices[1].isMultiple(of: 2) ? 29 * 86_400 : 31 * 86_400)
        case .handOverAddress:
            // Often one whose user has what a recovery must remove.
            let protected = (0..<3).filter { index in model.namesakes(address(index)).contains { $0.factorOwner != nil } }
            let index = choices[2].isMultiple(of: 2) ? protected.first ?? choices[1] % 3 : choices[1] % 3
            model.handOver(index, address: address(index), to: (model.addressOwners[index] + 1) % Self.principals)
        case .restart: try restart()
        case .crash: try crash(choices)
        case .renew: try renew(choices)
        case .signInBeside: try signInBeside(app)
        case .revoke: try revoke(choices)
        case .tamper: try tamper(app, choices)
        case .signInUnderName: try signInUnderName(choices)
        }
    }

    func name(_ app: Int) -> JSON { .string(Self.apps[app]) }
    func address(_ choice: Int) -> String { "p\(choice % 3)@x.example" }

    /// A call whose effect the model has beforehand.
    struct Step {
        var method: String
        var parameters: JSONObject
        var outcome: AccountModel.Outcome
        var app: Int
    }

    /// The model takes the step; the daemon has yet to.
    func step(_ kind: AccountEvent.Kind, _ app: Int, _ choices: [Int]) -> Step? {
        let unlinked = AccountModel.Provider(rawValue: choices[1] % 4)
        func step(_ method: String, _ parameters: JSONObject = [:], _ outcome: AccountModel.Outcome) -> Step {
            var parameters = parameters
            parameters["app"] = name(app)
            return Step(method: method, parameters: parameters, outcome: outcome, app: app)
        }
        passwords += 1
        let (email, password) = (address(choices[1]), "correct horse \(passwords)")
        let credential: JSONObject = ["email": .string(email), "password": .string(password)]
        switch kind {
        case .createUser:
            return step("CreateUser", credential, model.create(email, password, by: choices[2] % Self.principals, app: app))
        case .linkPassword:
            let outcome = model.linkPassword(email, password, app: app)
            return step("SignInWithCredential", ["credential": .object(credential), "intent": "link"], outcome)
        case .changeAddress: return step("UpdateUser", ["email": .string(email)], model.update(email: email, app: app))
        case .changePassword:
            guard model.current(app)?.user.email != nil else { return nil }
            return step("UpdateUser", ["password": .string(password)], model.update(password: password, app: app))
        case .unlink:
            let id = unlinked.map { "\($0)" } ?? "password"
            return step("UnlinkProvider", ["providerID": .string(id)], model.unlink(unlinked, app: app))
        case .signOut:
            model.signOut(app: app)
            return step("SignOut", [:], .done)
        case .deleteUser: return step("DeleteUser", [:], model.delete(app: app))
        case .signInAnonymously: return step("SignInAnonymously", [:], model.signInAnonymously(app: app))
        default: return nil
        }
    }

    func pass(_ seconds: Int64) {
        daemon.pass(seconds: seconds)
        model.now += seconds
    }

    // MARK: Accounts

    /// An account as it is now: an authority names an address that is its owner's, or one that it denies to have verified.
    func account(_ choice: Int, at provider: AccountModel.Provider) -> AccountModel.Account {
        let owner = choice % Self.principals
        let rest = choice / Self.principals
        providers.place = rest / 2 % 3
        var account = AccountModel.Account(provider: provider, owner: owner, subject: "o\(owner)n\(rest % 2)")
        let index = rest / 6 % 4
        guard index < 3 else { return account }
        account.email = "p\(index)@x.example"
        let isOwn = model.addressOwners[index] == owner
        switch rest / 24 % 3 {
        case 0: account.word = isOwn || provider == .plain ? true : false
        case 1: account.word = isOwn || provider == .plain ? nil : false
        default: account.word = false
        }
        return account
    }
}
