import PosternCore
import StrictJSON

/// The provider of the named account, whose login is an address. It is not trusted with addresses.
struct NamedAccounts {
    struct Account {
        var subject: String
        var email: String
        /// What the provider says about the address; nil if nothing.
        var word: Bool?
        var username: String?

        /// The provider says that the login is this account's address.
        var isCertain: Bool { email == NamedAccounts.login && word == true }
    }

    static let login = "ada@e.example"

    /// As they signed in last, by subject.
    var known: [String: Account] = [:]
    /// As they signed in last to an app, whose user has them.
    var users: [String: Account] = [:]
    /// Those that the person keeps: a name means one of them, or any if there is none.
    var persons: Set<String> = []
    /// Who signed in under the name for the person; an app's sign-in gives it to nobody.
    var pinned: String?

    var certain: [Account] { (Array(known.values) + Array(users.values)).filter(\.isCertain) }
    /// Whose token the name may give, certainly.
    var meant: [String] {
        if let pinned { return [pinned] }
        return known.values.filter { $0.isCertain && (persons.isEmpty || persons.contains($0.subject)) }.map(\.subject)
    }

    /// Why the account must not sign in under the name unless the user says that it is the one; nil if it may.
    func objection(to account: Account) -> String? {
        if let pinned { return pinned == account.subject ? nil : "another account was confirmed under the name" }
        if !certain.isEmpty {
            return certain.contains { $0.subject == account.subject } ? nil : "the login is another account's verified address"
        }
        return account.isCertain ? nil : "nothing says that the login is this account's"
    }
}

extension AccountWorld {
    private static let namedApp: JSON = "three"

    /// Somebody signs in under the name of the account, or at its provider.
    func signInUnderName(_ choices: [Int]) throws {
        let rest = choices[1]
        let account = NamedAccounts.Account(
            subject: ["s1", "s2", NamedAccounts.login][rest % 3], email: rest / 3 % 2 == 0 ? NamedAccounts.login : "bob@e.example",
            word: [nil, true, false][rest / 6 % 3], username: rest / 18 % 2 == 0 ? nil : NamedAccounts.login)
        var profile: JSONObject = ["id": .string(account.subject), "email": .string(account.email)]
        if let word = account.word { profile["email_verified"] = .bool(word) }
        if let username = account.username { profile["login"] = .string(username) }
        let (isNamed, isPersons) = (!choices[0].isMultiple(of: 3), choices[3].isMultiple(of: 2))
        var asked: JSONObject = ["providerID": isNamed ? "ada" : "extra", "presentation": "client"]
        if isPersons { asked["intent"] = "keep" } else { asked["app"] = Self.namedApp }
        let reply = daemon.call("SignIn", asked, more: true)
        let state = reply.event?["authorizationURL"]?.stringValue?.query("state") ?? ""
        daemon.browserReturns("state=\(state)&code=\(providers.code(of: profile))")
        func mismatch(_ what: String) -> Mismatch { Mismatch(description: "\(what), \(account): \(reply.message)") }
        guard reply.isFinished, reply.lastWords == 1 else { throw mismatch("there are \(reply.lastWords) answers under the name") }
        let objection = isNamed ? named.objection(to: account) : nil
        switch reply.errorName {
        case nil:
            if let objection { throw mismatch("an account signed in under the name, but \(objection)") }
            keep(account, isNamed: isNamed, isPersons: isPersons)
        case "AccountNotConfirmed":
            guard isNamed, named.pinned == nil, named.certain.isEmpty else { throw mismatch("the user was asked") }
            guard choices[2].isMultiple(of: 2), let handle = reply.error?.object["credential"]?.objectValue?["handle"] else { return }
            let confirmed =
                isPersons
                ? daemon.call("SignIn", ["providerID": "ada", "intent": "keep", "confirmation": handle], more: true)
                : daemon.call("SignInWithCredential", ["credential": ["handle": handle], "app": Self.namedApp])
            if confirmed.error == nil { keep(account, isNamed: true, isPersons: isPersons) }
        case "UserMismatch":
            if isNamed, objection == nil { throw mismatch("the account was refused under its name") }
            if !isNamed { throw mismatch("the account was refused") }
        case "AccountExistsWithDifferentCredential": break
        default: throw mismatch("\(reply.errorName ?? "")")
        }
        try checkToken()
    }

    private func keep(_ account: NamedAccounts.Account, isNamed: Bool, isPersons: Bool) {
        named.known[account.subject] = account
        guard isPersons else {
            named.users[account.subject] = account
            return
        }
        named.persons.insert(account.subject)
        if isNamed { named.pinned = account.subject }
    }

    /// The token under the name is that of the account which is certainly meant, if there is one.
    private func checkToken() throws {
        let reply = daemon.call("GetAccessToken", ["providerID": "ada"])
        guard let token = reply["accessToken"]?.stringValue, let subject = providers.profile(ofToken: token)?["id"]?.stringValue else { return }
        let meant = named.meant
        guard meant.isEmpty ? named.known[subject]?.word != false : meant.contains(subject) else {
            throw Mismatch(description: "the name gives a token of \(subject), and \(meant) is meant")
        }
    }
}
