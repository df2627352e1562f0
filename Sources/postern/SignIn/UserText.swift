import PosternClient

/// The description of a user, with all that a person wants to know.
enum UserText {
    static func lines(for user: User, of app: String, times: TimeText = .exact, width: Int? = nil) -> [String] {
        var table = Table()
        table.add("  app", app)
        table.add("  user", user.uid)
        if let email = user.email { table.add("  address", email + (user.emailVerified ? ", verified" : ", not verified")) }
        if user.isAnonymous { table.add("  sign-in", "anonymous; postern link PROVIDER makes the user permanent") }
        for data in user.providerData { table.add("  provider", provider(data)) }
        for factor in user.secondFactors {
            table.add("  second factor", SecondFactorText.name(factor) + ", since \(times.date(factor.enrolledAt)) (\(factor.uid))")
        }
        table.add("  since", times.date(user.createdAt))
        table.add("  last sign-in", times.near(user.lastSignInAt))
        return [PersonText.name(of: user)] + table.facts(within: width)
    }

    /// `github.com (583231), octo@example.com`
    private static func provider(_ data: ProviderData) -> String {
        guard data.providerID != SignInWay.passwordID else { return "password" }
        return "\(data.providerID) (\(data.uid))" + (data.email.map { ", \($0)" } ?? "")
    }
}

/// The name of a user, for people.
enum PersonText {
    /// `Ada Lovelace <ada@example.org>`, or as much of it as is known.
    static func name(of user: User) -> String {
        switch (user.displayName, user.email) {
        case (let name?, let email?): "\(name) <\(email)>".plain
        case (let name?, nil): name.plain
        case (nil, let email?): email.plain
        case (nil, nil): user.isAnonymous ? "an anonymous user" : "user \(user.uid)".plain
        }
    }

    /// The last line of a sign-in.
    static func outcome(of event: SignInEvent, providerName: String) -> String {
        if let account = event.account { return outcome(of: account, providerName: providerName) }
        guard let result = event.result else { return "\(providerName.plain) gave a credential" }
        return outcome(of: result, wayName: providerName)
    }

    /// - Parameter before: the user before the account was linked.
    static func outcome(of proved: AccountDialogue.Proved, before: User? = nil) -> String {
        if let account = proved.account { return outcome(of: account, providerName: proved.wayName) }
        guard let result = proved.result else { return "\(proved.wayName.plain) gave a credential" }
        if result.operation == .link, let providerID = result.credential?.providerID, isLinked(providerID, to: before, as: result.user) {
            return "\(proved.wayName.plain) was linked to \(name(of: result.user)) already"
        }
        return outcome(of: result, wayName: proved.wayName)
    }

    private static func outcome(of account: StoredCredential, providerName: String) -> String {
        "signed in as \(AccountText(account, at: providerName).description)"
    }

    private static func isLinked(_ providerID: String, to before: User?, as after: User) -> Bool {
        func uid(_ user: User?) -> String? { user?.providerData.first { $0.providerID == providerID }?.uid }
        return uid(before) != nil && uid(before) == uid(after)
    }

    private static func outcome(of result: AuthResult, wayName: String) -> String {
        let user = name(of: result.user)
        return switch result.operation {
        case .signIn where wayName.isEmpty: "signed in as \(user)"
        case .signIn: "signed in as \(user) with \(wayName.plain)"
        case .link: "\(wayName.plain) is linked to \(user)"
        case .reauthenticate: "still \(user), confirmed with \(wayName.plain)"
        }
    }
}

/// The name of a second factor, for people.
enum SecondFactorText {
    static func name(_ factor: SecondFactor) -> String {
        let own = factor.displayName.map { " “\($0)”" } ?? ""
        return switch factor.factorID {
        case .totp: "authenticator app\(own)".plain
        case .phone: "phone \(factor.phoneNumber ?? "")\(own)".plain
        }
    }
}

/// The information that a user needs to enrol a factor.
enum EnrollmentText {
    static func lines(for enrollment: Interface.EnrollSecondFactor.Reply, number: String?, on terminal: Terminal) -> [String] {
        guard let secret = enrollment.secret?.reveal() else {
            return ["A code was sent to \((number ?? "your phone").plain)."]
        }
        var lines: [String] = []
        if let uri = enrollment.provisioningURI, let code = QRCode(uri.reveal()) {
            // Including the prompt for the code.
            let words = 9
            if let picture = QRText.lines(for: code, beside: words, on: terminal) {
                lines += ["Scan this with your authenticator app:", ""] + picture
                lines += ["", "Or type this secret into it:", "", "  " + grouped(secret.plain), ""]
            } else {
                lines += [QRText.tooSmall(for: code, beside: words)]
            }
        }
        if lines.count < 2 { lines += ["Type this secret into your authenticator app:", "", "  " + grouped(secret.plain), ""] }
        return lines + ["Then type the code it shows."]
    }

    /// In groups of four, which are easier to type.
    private static func grouped(_ secret: String) -> String {
        var text = ""
        for (index, letter) in secret.enumerated() {
            if index > 0, index.isMultiple(of: 4) { text += " " }
            text.append(letter)
        }
        return text
    }
}
