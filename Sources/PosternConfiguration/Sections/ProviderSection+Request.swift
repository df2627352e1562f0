import PosternCore
import TOML

/// What is requested from a provider, and how its response is read.
extension ProviderSection {
    func parameters(of template: Provider) throws(ConfigurationError) -> [String: String]? {
        guard let given = try table.table("parameters") else { return nil }
        guard given.members.count <= 32 else { throw table.error("parameters", "has more than 32 of them") }
        var parameters: [String: String] = [:]
        for member in given.members {
            guard ReservedParameters.firstReserved(in: [member.key], and: template.dialect.reservedParameters) == nil else {
                throw member.keyPosition.error("\(TOMLKey.shown(member.key)) in \(given.name) is set by the sign-in itself; remove it")
            }
            parameters[member.key] = try given.string(member.key)
        }
        return parameters
    }

    func profileMapping(_ template: ProfileMapping) throws(ConfigurationError) -> ProfileMapping {
        guard let given = try table.table("profile") else { return template }
        try given.allowOnly(["uid", "display-name", "email", "photo", "username"])
        var mapping = template
        mapping.uid = try given.string("uid") ?? mapping.uid
        mapping.displayName = try given.string("display-name") ?? mapping.displayName
        mapping.email = try given.string("email") ?? mapping.email
        mapping.photo = try given.string("photo") ?? mapping.photo
        mapping.username = try given.string("username") ?? mapping.username
        return mapping
    }

    func redirectURI() throws(ConfigurationError) -> RedirectURI? {
        guard let text = try table.string("redirect-uri") else { return nil }
        do throws(RedirectURIError) { return try RedirectURI(parsing: text) } catch { throw table.error("redirect-uri", error.description) }
    }

    func emailTrust() throws(ConfigurationError) -> EmailTrust? {
        guard let setting = table["trust-email"] else { return nil }
        switch setting.content {
        case .boolean(let trusted): return trusted ? .all : .nobody
        case .list(let elements):
            let domains = try table.strings(of: elements, "trust-email").map(EmailAddress.lowercased)
            guard !domains.isEmpty, domains.allSatisfy(Self.isDomain) else {
                throw table.error("trust-email", "must be true, false or a list of domains, such as [\"example.com\"]")
            }
            return .domains(domains)
        default: throw table.wrongType("trust-email", setting, "true, false or a list of domains")
        }
    }

    private static func isDomain(_ text: String) -> Bool {
        let labels = text.parts(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.count >= 2
            && labels.allSatisfy { label in
                1...63 ~= label.utf8.count && !label.begins(with: "-") && !label.ends(with: "-")
                    && label.utf8.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
                        default: false
                        }
                    }
            }
    }
}
