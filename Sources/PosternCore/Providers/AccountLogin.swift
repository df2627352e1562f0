/// Whose a configured name is, by one of the names that its provider has for accounts.
///
/// People choose their user names, and at some providers their addresses: a name of one kind says nothing about another kind.
public struct AccountLogin: Sendable, Hashable {
    /// The words are those of the configuration.
    public enum Kind: String, Sendable, CaseIterable {
        /// The account's identifier at the provider, byte for byte.
        case id
        case address
        case user
    }

    public var text: String
    /// Nil: that depends on what identifiers look like at the provider.
    public var kind: Kind?

    /// - Parameter kind: nil if the configuration names none.
    public init(_ text: String, kind: Kind? = nil) {
        self.text = text
        self.kind = kind
    }

    /// Without a kind in the configuration. It is an address if it has an @, an identifier if it looks like those of the provider, else a user
    /// name.
    ///
    /// - Parameter identifiersAreNumbers: nil if it is not known what they look like.
    public init(_ text: String, identifiersAreNumbers: Bool?) {
        self.text = text
        if text.unicodeScalars.contains("@") {
            kind = .address
        } else if let form = Form(text) {
            if let identifiersAreNumbers { kind = form == .number && identifiersAreNumbers ? .id : .user }
        } else {
            kind = .user
        }
    }

    /// Which of the provider's names for accounts it is; never two of them.
    ///
    /// - Parameter subjects: identifiers that have been seen at the provider.
    public func kind(among subjects: [String]) -> Kind {
        if let kind { return kind }
        if text.unicodeScalars.contains("@") { return .address }
        guard let form = Form(text), !subjects.isEmpty, subjects.allSatisfy({ Form($0) == form }) else { return .user }
        return .id
    }

    /// What identifiers look like that nobody chooses.
    private enum Form {
        case number, uuid

        init?(_ text: String) {
            let bytes = Array(text.utf8)
            if !bytes.isEmpty, bytes.allSatisfy(\.isDecimalDigit) {
                self = .number
            } else if bytes.count == 36, bytes.enumerated().allSatisfy({ Self.isOfUUID($0.element, at: $0.offset) }) {
                self = .uuid
            } else {
                return nil
            }
        }

        private static func isOfUUID(_ byte: UInt8, at place: Int) -> Bool {
            [8, 13, 18, 23].contains(place) ? byte == UInt8(ascii: "-") : byte.isDecimalDigit || (0x61...0x66).contains(byte | 0x20)
        }
    }
}

// Byte for byte: two forms of one letter are equal as strings, and may be two people's names.
extension AccountLogin {
    public static func == (left: AccountLogin, right: AccountLogin) -> Bool {
        left.kind == right.kind && left.text.isSame(right.text)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(bytesOf: text)
    }
}

extension AccountLogin: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}
