/// Addresses as programs give them.
public enum EmailAddress {
    /// The address in lower case; nil for what is none.
    ///
    /// Nothing else is made equal: white space around it, a tag, full stops in the mailbox or another Unicode form of a letter may lead to
    /// another person's mailbox. What would have to be cleaned is not an address.
    public static func normalized(_ text: String) -> String? {
        guard let address = ProfileDocument.emailAddress(text), !address.unicodeScalars.contains(where: \.properties.isWhitespace)
        else { return nil }
        let lowered = address.lowercased()
        // A few letters grow when they are lowered.
        return lowered.utf8.count <= ProfileDocument.longestAddress ? lowered : nil
    }

    /// Byte by byte: to a string two forms of one letter are equal, to a mail server they are two mailboxes.
    public static func isSame(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.utf8.elementsEqual(other.utf8)
    }
}

/// What is known of who reads the mail at a user's own address.
///
/// Only the last one says whose address it is. A provider that checked an address did so once, by its own rules, and whoever runs one
/// can have it say so of any address.
public enum AddressProof: String, Sendable, CaseIterable {
    /// Somebody typed it, or a provider told it without having checked it.
    case none
    /// A provider says that it has checked it, and is not an authority for it.
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
