/// A share in a stored credential: who wants it kept.
public enum CredentialShare: Sendable, Equatable {
    /// The person, for git, mail and all their programs.
    case person
    /// An app, for its user.
    case app(AppName)
}

/// Everybody who wants a stored credential kept: the person, apps' users, or both.
///
/// A credential that nobody keeps is deleted, and revoked at its provider.
public struct CredentialKeepers: Sendable, Hashable {
    public var isPerson: Bool
    /// By name, in the order in which they came.
    public private(set) var apps: [AppName]

    /// The most apps that are remembered; beyond that the oldest are forgotten. A program can name as many as it likes.
    public static let mostApps = 64

    public static let person = CredentialKeepers(isPerson: true)

    public init(isPerson: Bool = false, apps: [AppName] = []) {
        self.isPerson = isPerson
        self.apps = apps.suffix(Self.mostApps)
    }

    public init(_ share: CredentialShare) {
        self.init()
        add(share)
    }

    public mutating func add(_ share: CredentialShare) {
        switch share {
        case .person: isPerson = true
        case .app(let name):
            guard !apps.contains(name) else { return }
            apps.append(name)
            apps.removeFirst(max(0, apps.count - Self.mostApps))
        }
    }

    /// Who is left when no user of an app has the account any more; nil if that is nobody.
    public var withoutApps: CredentialKeepers? { isPerson ? .person : nil }

    /// Nil if the app does not keep it, or if others may that were forgotten.
    public func without(app: AppName) -> CredentialKeepers? {
        guard apps.contains(app), isPerson || apps.count < Self.mostApps else { return nil }
        return CredentialKeepers(isPerson: isPerson, apps: apps.filter { $0 != app })
    }
}
