import PosternClient

/// `pizauth.conf`: `account "NAME" { KEY = VALUE; … }`, and options besides the accounts, which are ignored.
enum PizauthConfiguration {
    static let mostAccounts = 64

    static func accounts(in text: String) throws(ForeignFileError) -> [ForeignAccount] {
        var reader = Reader(text)
        var accounts: [ForeignAccount] = []
        while let word = try reader.next() {
            guard case .word(let name) = word else { throw reader.unexpected(word) }
            guard name == "account" else {
                // An option of the program itself.
                try reader.expect("=")
                _ = try reader.value()
                try reader.expect(";")
                continue
            }
            guard accounts.count < mostAccounts else { throw ForeignFileError("it has more than \(mostAccounts) accounts") }
            let account = try account(&reader)
            guard !accounts.contains(where: { $0.name == account.name }) else {
                throw ForeignFileError("line \(reader.line): the account \(account.name) appears twice")
            }
            accounts.append(account)
        }
        return accounts
    }

    private static func account(_ reader: inout Reader) throws(ForeignFileError) -> ForeignAccount {
        let name = try reader.string()
        let line = reader.line
        try reader.expect("{")
        var values: [String: Value] = [:]
        while true {
            guard let token = try reader.next() else { throw ForeignFileError("it ends within the account \(name)") }
            if token == .mark("}") { break }
            guard case .word(let key) = token else { throw reader.unexpected(token) }
            guard values[key] == nil else { throw ForeignFileError("line \(reader.line): \(key) appears twice") }
            try reader.expect("=")
            values[key] = try reader.value()
            try reader.expect(";")
        }
        func text(_ key: String) throws(ForeignFileError) -> String? {
            switch values[key] {
            case nil: return nil
            case .text(let text): return text
            default: throw ForeignFileError("line \(line): \(key) of the account \(name) must be a string")
            }
        }
        guard let authorization = try text("auth_uri"), let token = try text("token_uri"), let client = try text("client_id") else {
            throw ForeignFileError("line \(line): the account \(name) needs auth_uri, token_uri and client_id")
        }
        var account = ForeignAccount(name: name)
        account.provider = ForeignProvider(authorization: authorization, token: token)
        account.clientID = client
        account.clientSecret = try text("client_secret").map { Secret($0) }
        account.login = try text("login_hint")
        if case .pairs(let fields)? = values["auth_uri_fields"] {
            account.login = fields.first { $0.key == "login_hint" }?.value ?? account.login
        }
        switch values["scopes"] {
        case nil: break
        case .list(let scopes): account.scopes = scopes
        default: throw ForeignFileError("line \(line): scopes of the account \(name) must be a list")
        }
        return account
    }

    fileprivate enum Token: Equatable {
        case word(String)
        case string(String)
        case mark(Unicode.Scalar)
    }

    fileprivate enum Value {
        case text(String)
        case list([String])
        case pairs([(key: String, value: String)])
        /// A time such as `90s`.
        case other
    }

    fileprivate struct Reader {
        private let scalars: [Unicode.Scalar]
        private var place = 0
        private(set) var line = 1

        init(_ text: String) { scalars = Array(text.unicodeScalars) }

        mutating func next() throws(ForeignFileError) -> Token? {
            skipBlanks()
            guard place < scalars.count else { return nil }
            let first = scalars[place]
            if first == "\"" { return .string(try quoted()) }
            if isWordPart(first) {
                let start = place
                while place < scalars.count, isWordPart(scalars[place]) { place += 1 }
                return .word(String(String.UnicodeScalarView(scalars[start..<place])))
            }
            guard "=,{}[];:".unicodeScalars.contains(first) else {
                throw ForeignFileError("line \(line): an unexpected character")
            }
            place += 1
            return .mark(first)
        }

        private func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_": true
            default: false
            }
        }

        private mutating func skipBlanks() {
            while place < scalars.count {
                switch scalars[place] {
                case "\n":
                    line += 1
                    place += 1
                case " ", "\t", "\r": place += 1
                case "/" where place + 1 < scalars.count && scalars[place + 1] == "/":
                    while place < scalars.count, scalars[place] != "\n" { place += 1 }
                default: return
                }
            }
        }

        /// `\"` and `\\` denote the second character.
        private mutating func quoted() throws(ForeignFileError) -> String {
            let begin = line
            var text = String.UnicodeScalarView()
            place += 1
            while place < scalars.count {
                let scalar = scalars[place]
                place += 1
                switch scalar {
                case "\"": return String(text)
                case "\\" where place < scalars.count && (scalars[place] == "\"" || scalars[place] == "\\"):
                    text.append(scalars[place])
                    place += 1
                default:
                    if scalar == "\n" { line += 1 }
                    text.append(scalar)
                }
            }
            throw ForeignFileError("line \(begin): a string is not closed")
        }

        mutating func expect(_ mark: Unicode.Scalar) throws(ForeignFileError) {
            let token = try next()
            guard token == .mark(mark) else { throw unexpected(token, wanted: "'\(mark)'") }
        }

        mutating func string() throws(ForeignFileError) -> String {
            let token = try next()
            guard case .string(let text)? = token else { throw unexpected(token, wanted: "a string") }
            return text
        }

        mutating func value() throws(ForeignFileError) -> Value {
            let token = try next()
            switch token {
            case .string(let text): return .text(text)
            case .word: return .other
            case .mark("["):
                var elements: [String] = []
                try list(until: "]") { reader throws(ForeignFileError) in elements.append(try reader.string()) }
                return .list(elements)
            case .mark("{"):
                var pairs: [(key: String, value: String)] = []
                try list(until: "}") { reader throws(ForeignFileError) in
                    let key = try reader.string()
                    try reader.expect(":")
                    pairs.append((key, try reader.string()))
                }
                return .pairs(pairs)
            default: throw unexpected(token, wanted: "a value")
            }
        }

        /// Elements separated by commas, with an optional trailing one.
        private mutating func list(
            until end: Unicode.Scalar, _ element: (inout Reader) throws(ForeignFileError) -> Void
        ) throws(ForeignFileError) {
            while true {
                var ahead = self
                if try ahead.next() == .mark(end) {
                    self = ahead
                    return
                }
                try element(&self)
                let token = try next()
                if token == .mark(end) { return }
                guard token == .mark(",") else { throw unexpected(token, wanted: "',' or '\(end)'") }
            }
        }

        /// Contains no value: it may be a secret.
        func unexpected(_ token: Token?, wanted: String? = nil) -> ForeignFileError {
            let found =
                switch token {
                case nil: "the end"
                case .word(let word): word.count <= 40 ? word : "a long word"
                case .string: "a string"
                case .mark(let mark): "'\(mark)'"
                }
            return ForeignFileError("line \(line): found \(found)" + (wanted.map { ", expected \($0)" } ?? " where it does not belong"))
        }
    }
}
