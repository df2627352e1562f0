/// Whose accounts may sign in: the segment of Entra's addresses that names a tenant, or many.
enum MicrosoftTenant: Sendable, Hashable {
    /// Everybody: organisations and persons.
    case common
    case organizations
    /// Personal accounts.
    case consumers
    /// By its ID, in lower case.
    case id(String)
    /// By one of its domains. Its ID is not known here: that the keys and the token come from the tenant's own addresses is what
    /// holds an account to it.
    case domain(String)

    /// Nil for what is none of them.
    init?(_ text: String) {
        let text = text.lowercased()
        switch text {
        case "common": self = .common
        case "organizations": self = .organizations
        case "consumers": self = .consumers
        case _ where Self.isID(text): self = .id(text)
        case _ where Self.isDomain(text): self = .domain(text)
        default: return nil
        }
    }

    var segment: String {
        switch self {
        case .common: "common"
        case .organizations: "organizations"
        case .consumers: "consumers"
        case .id(let text), .domain(let text): text
        }
    }

    /// The tenant in which all personal accounts are.
    static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// The tenants (`tid`) whose tokens are taken; nil where any is.
    var allowed: [String]? {
        switch self {
        case .common, .organizations, .domain: nil
        case .consumers: [Self.personal]
        case .id(let id): [id]
        }
    }

    /// 8-4-4-4-12 hexadecimal digits.
    private static func isID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.utf8.allSatisfy(\.isHexadecimalDigit) }
    }

    private static func isDomain(_ text: String) -> Bool {
        guard text.contains("."), let url = try? EndpointURL("https://\(text)") else { return false }
        return url.host == text && url.path.isEmpty && url.query == nil
    }
}
