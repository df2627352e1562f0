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
