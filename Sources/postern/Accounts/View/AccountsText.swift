import PosternClient

/// The view as a person reads it.
struct AccountsText {
    let view: AccountsView
    let times: TimeText
    /// Of the terminal; nil without one.
    let width: Int?
    /// For the headings.
    var terminal: Terminal?

    /// Apps may keep thousands of accounts for their users, and a terminal would show nothing else.
    static let mostOthers = 20

    func write(_ write: ([String]) throws -> Void) throws {
        var isFirst = view.ownCount == 0
        func heading(_ text: String) -> [String] {
            defer { isFirst = false }
            return (isFirst ? [] : [""]) + [terminal?.paint(text, .bold) ?? text]
        }
        if view.ownCount > 0 {
            try LongTable(headings: ["ACCOUNT", "WHO", "WHERE", "STATE", "UNTIL", "FOR"], count: view.ownCount) { index in
                row(of: view.ownLine(index))
            }.write(within: width, write)
        }
        let needs = needs
        if !needs.isEmpty { try write(heading("Needs you:") + needs) }
        if !view.users.isEmpty {
            var table = Table()
            for each in view.users { table.add("  \(each.app)", PersonText.name(of: each.user)) }
            var lines = table.facts(within: width)
            if view.hasMoreApps { lines.append("  and users of more apps: postern whoami --app NAME") }
            try write(heading("Users of apps:") + lines)
        }
        guard view.otherCount > 0 else { return }
        try write(heading("Kept for users of apps only:"))
        let count = width == nil ? view.otherCount : min(view.otherCount, Self.mostOthers)
        try LongTable(headings: ["APP", "WHO", "WHERE", "STATE", "UNTIL"], count: count) { index in
            let line = view.otherLine(index)
            return [Self.list(line.apps), line.who ?? "-", line.providerName, Self.state(of: line), until(of: line)]
        }.write(within: width, write)
        if view.otherCount > count { try write(["and \(view.otherCount - count) more; postern accounts | less shows them all"]) }
    }

    private func row(of line: AccountLine) -> [String] {
        let also = line.isMeantByProvider ? " (also \(line.providerID))" : ""
        return [
            (line.word ?? "-") + also, line.who ?? "nobody", line.providerName, Self.state(of: line), until(of: line),
            Self.use(of: line),
        ]
    }

    private static func state(of line: AccountLine) -> String {
        if line.credential?.endOfUse != nil { return "ends" }
        return switch line.credential?.state {
        case .good?: "good"
        case .endsSoon?: "ends soon"
        case .signInNeeded?, nil: "sign in"
        }
    }

    /// Until when its programs get tokens without the person.
    private func until(of line: AccountLine) -> String {
        guard let credential = line.credential, credential.state != .signInNeeded else { return "-" }
        if let end = credential.endOfUse { return CredentialText.thenAgain(end, times) }
        if let end = credential.endsAt { return times.near(end) }
        return credential.refreshable ? "renews itself" : CredentialText.unlimited
    }

    private static func use(of line: AccountLine) -> String {
        let urls = line.urls.isEmpty ? "programs that name it" : list(line.urls)
        return line.apps.isEmpty ? urls : "\(urls); users of \(list(line.apps))"
    }

    /// The first few.
    private static func list(_ words: [String], most: Int = 2) -> String {
        guard words.count > most + 1 else { return words.joined(separator: ", ") }
        return words.prefix(most).joined(separator: ", ") + " and \(words.count - most) more"
    }

    /// What only the person can do, each with its command on a line of its own, to be copied.
    private var needs: [String] {
        var lines: [String] = []
        func add(_ sentence: String, _ command: String) {
            lines += Prose.lines(of: sentence.plain, width: width.map { $0 - 2 }).map { "  " + $0 }
            lines.append("    " + command.plain)
        }
        for index in 0..<view.ownCount where !view.ownNeedsNothing(index) {
            let line = view.ownLine(index)
            let subject = line.word ?? line.who ?? line.providerID
            switch line.credential?.state {
            case .good?: continue
            case .endsSoon? where line.credential?.endOfUse != nil:
                let advice = line.credential?.renewalAdvice.map { "; without a refresh token it cannot be renewed: \($0)" } ?? ""
                add("\(subject) works until \(until(of: line))\(advice)", line.signIn)
            case .endsSoon?:
                let end = line.credential?.endsAt.map { (times.clock == nil ? "at " : "") + times.near($0) } ?? "soon"
                add("\(subject) ends \(end)", line.signIn)
            case .signInNeeded?: add("\(subject) needs a new sign-in: \(line.credential?.reason ?? "no reason is known")", line.signIn)
            case nil: add("nobody is signed in to \(subject)", line.signIn)
            }
        }
        for each in view.ambiguities {
            let example = each.example
            let sentence = "\(each.providerID) could mean any of your \(each.count) accounts there; say which"
            if let name = example.name {
                add(sentence, "postern config set provider.\(ShellWord.quoted(each.providerID)).account \(ShellWord.quoted(name))")
            } else {
                add(sentence + ", once it has a name", "postern accounts rename \(ShellWord.quoted(example.who ?? each.providerID)) NAME")
            }
        }
        return lines
    }
}
