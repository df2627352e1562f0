/// What is known of who reads the mail at a user's own address.
///
/// Only the last one says whose address it is. A provider that checked an address did so once, by rules of its own, and whoever runs one
/// can have it say so of any address.
public enum AddressProof: String, Sendable, CaseIterable {
    /// Somebody typed it, or a provider told it without having checked it.
    case none
    /// A provider says that it has checked it, and is no authority for it.
    case provider
    /// The authority for the address signed its owner in as this user, or linked its account to it.
    case authority
}

extension AddressProof: Comparable {
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .none: 0
        case .provider: 1
        case .authority: 2
        }
    }
}

extension IdentityQuestion {
    /// Of the identity's address.
    var addressProof: AddressProof { isAuthority ? .authority : identity.emailVerified ? .provider : .none }
}
