import PosternClient

/// gh's `hosts.yml`: a host, its `users`, and for each an `oauth_token`, unless that is in a keyring. Before gh 2.40 there is one user, beside
/// the host's settings.
enum GitHubHosts {
    static let mostAccounts = 64

    static func accounts(in text: String) throws(ForeignFileError) -> [ForeignAccount] {
        var found: [(host: String, user: String?, token: Secret?)] = []
        for (host, value) in try SimpleYAML.parse(text) {
            guard case .mapping(let settings) = value else {
                guard case .nothing = value else {
                    throw ForeignFileError("line \(host.line): the host has no settings: it is not gh's hosts.yml")
                }
                continue
            }
            guard isHost(host.key) else { throw ForeignFileError("line \(host.line): the key is not a host: it is not gh's hosts.yml") }
            let active = try self.text(of: "user", in: settings)
            let activeToken = try token(in: settings)
            var users = try users(in: settings, of: host.key)
            // The active user's token is repeated beside the host's settings.
            if let place = users.firstIndex(where: { $0.name == active }) {
                users[place].token = users[place].token ?? activeToken
            } else if active != nil || activeToken != nil {
                users.insert((active, activeToken), at: 0)
            }
            found += users.map { (host.key, $0.name, $0.token) }
            guard found.count <= mostAccounts else { throw ForeignFileError("it has more than \(mostAccounts) accounts") }
        }
        return found.map { each in
            // One name may be used at several hosts.
            let isUnique = found.count { $0.user == each.user } == 1 || each.host == "github.com"
            var account = ForeignAccount(name: each.user.map { isUnique ? $0 : "\($0)@\(each.host)" } ?? each.host, login: each.user)
            account.host = each.host
            account.provider = .endpoints(
                authorization: "https://\(each.host)/login/oauth/authorize", token: "https://\(each.host)/login/oauth/access_token")
            account.accessToken = each.token
            return account
        }
    }

    private typealias User = (name: String?, token: Secret?)

    private static func users(in settings: SimpleYAML.Mapping, of host: String) throws(ForeignFileError) -> [User] {
        guard let value = settings.first(where: { $0.key.key == "users" })?.value else { return [] }
        switch value {
        case .nothing: return []
        case .text: throw ForeignFileError("users of \(host) must be a mapping")
        case .mapping(let users):
            var found: [User] = []
            for (name, value) in users {
                switch value {
                case .nothing: found.append((name.key, nil))
                case .text: throw ForeignFileError("line \(name.line): the user has no settings")
                case .mapping(let settings): found.append((name.key, try token(in: settings)))
                }
            }
            return found
        }
    }

    private static func text(of key: String, in settings: SimpleYAML.Mapping) throws(ForeignFileError) -> String? {
        guard let (name, value) = settings.first(where: { $0.key.key == key }) else { return nil }
        switch value {
        case .nothing: return nil
        case .text(let text): return text.isEmpty ? nil : text
        case .mapping: throw ForeignFileError("line \(name.line): \(key) must be a string")
        }
    }

    private static func token(in settings: SimpleYAML.Mapping) throws(ForeignFileError) -> Secret? {
        guard let token = try text(of: "oauth_token", in: settings) else { return nil }
        guard isToken(token) else { throw ForeignFileError("an oauth_token is too long or has characters that no token has") }
        return Secret(token)
    }

    static func isToken(_ text: String) -> Bool { (1...16_384).contains(text.utf8.count) && text.utf8.allSatisfy { 0x21...0x7E ~= $0 } }

    private static func isHost(_ text: String) -> Bool {
        text.utf8.count <= 255
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: ":"):
                    true
                default: false
                }
            }
    }
}

/// The part of YAML that programs write for nested settings: mappings by indentation, and scalars on the line of their key. Everything else
/// is refused, so that nothing is read in another way than its author's library does.
enum SimpleYAML {
    typealias Key = (key: String, line: Int)
    typealias Mapping = [(key: Key, value: Value)]

    indirect enum Value {
        case nothing
        case text(String)
        case mapping(Mapping)
    }

    static let deepest = 8

    static func parse(_ text: String) throws(ForeignFileError) -> Mapping {
        var reader = Reader(try lines(of: text))
        let mapping = try reader.mapping(indent: 0, depth: 1)
        guard reader.next == nil else { throw reader.failure("the indentation fits no line above") }
        return mapping
    }

    private struct Line {
        var number: Int
        var indent: Int
        var content: [Unicode.Scalar]
    }

    private static func lines(of text: String) throws(ForeignFileError) -> [Line] {
        var lines: [Line] = []
        for (index, part) in text.parts(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var scalars = Array(part.unicodeScalars)
            if scalars.last == "\r" { scalars.removeLast() }
            guard scalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
                throw ForeignFileError("line \(index + 1): a tab or a control character")
            }
            let indent = scalars.prefix { $0 == " " }.count
            let content = Array(scalars.dropFirst(indent))
            if content.isEmpty || content.first == "#" { continue }
            if lines.isEmpty, String(String.UnicodeScalarView(content)) == "---" { continue }
            lines.append(Line(number: index + 1, indent: indent, content: content))
        }
        return lines
    }

    private struct Reader {
        private let lines: [Line]
        private var place = 0

        init(_ lines: [Line]) { self.lines = lines }

        var next: Line? { place < lines.count ? lines[place] : nil }

        func failure(_ words: String) -> ForeignFileError { ForeignFileError("line \(next?.number ?? lines.last?.number ?? 1): \(words)") }

        mutating func mapping(indent: Int, depth: Int) throws(ForeignFileError) -> Mapping {
            guard depth <= deepest else { throw failure("nested more than \(deepest) deep") }
            var mapping: Mapping = []
            while let line = next, line.indent == indent {
                var rest = line.content[...]
                let key = try scalar(&rest, isKey: true)
                guard rest.first == ":", rest.count == 1 || rest.dropFirst().first == " " else {
                    throw failure("a key and a colon are missing")
                }
                rest = rest.dropFirst().drop { $0 == " " }
                guard !mapping.contains(where: { $0.key.key == key }) else { throw failure("a key appears twice") }
                let isEmpty = rest.isEmpty || rest.first == "#"
                let value = try isEmpty ? Value.nothing : self.value(rest)
                place += 1
                if let below = next, below.indent > indent {
                    guard isEmpty else { throw failure("the indentation fits no line above") }
                    mapping.append(((key, line.number), .mapping(try self.mapping(indent: below.indent, depth: depth + 1))))
                } else {
                    mapping.append(((key, line.number), value))
                }
            }
            return mapping
        }

        private func value(_ content: ArraySlice<Unicode.Scalar>) throws(ForeignFileError) -> Value {
            var rest = content
            let isQuoted = rest.first == "\"" || rest.first == "'"
            let text: String
            if rest.starts(with: "{}".unicodeScalars) {
                rest = rest.dropFirst(2)
                text = "~"
            } else {
                text = try scalar(&rest, isKey: false)
            }
            rest = rest.drop { $0 == " " }
            guard rest.isEmpty || rest.first == "#" else { throw failure("something follows the value") }
            if !isQuoted, ["~", "null", "Null", "NULL"].contains(text) { return .nothing }
            return .text(text)
        }

        /// Takes a plain or quoted scalar from the beginning.
        private func scalar(_ rest: inout ArraySlice<Unicode.Scalar>, isKey: Bool) throws(ForeignFileError) -> String {
            guard let first = rest.first else { throw failure("a value is missing") }
            if first == "\"" || first == "'" { return try quoted(&rest, by: first) }
            // Lists, blocks, anchors, tags and what else a plain scalar cannot begin with.
            guard !"[]{},&*!|>%@`?-:#".unicodeScalars.contains(first) else { throw failure("this form of YAML is not read") }
            var text = String.UnicodeScalarView()
            while let scalar = rest.first {
                let after = rest.dropFirst().first
                if scalar == ":", after == nil || after == " " {
                    guard isKey else { throw failure("this form of YAML is not read") }
                    break
                }
                if scalar == " ", after == "#" { break }
                text.append(scalar)
                rest = rest.dropFirst()
            }
            while text.last == " " { text.removeLast() }
            return String(text)
        }

        private func quoted(_ rest: inout ArraySlice<Unicode.Scalar>, by mark: Unicode.Scalar) throws(ForeignFileError) -> String {
            var text = String.UnicodeScalarView()
            rest = rest.dropFirst()
            while let scalar = rest.first {
                rest = rest.dropFirst()
                if scalar == mark {
                    guard mark == "'", rest.first == "'" else { return String(text) }
                    rest = rest.dropFirst()
                } else if mark == "\"", scalar == "\\" {
                    guard let escaped = rest.first, escaped == "\"" || escaped == "\\" else { throw failure("this escape is not read") }
                    text.append(escaped)
                    rest = rest.dropFirst()
                    continue
                }
                text.append(scalar)
            }
            throw failure("a string is not closed")
        }
    }
}
