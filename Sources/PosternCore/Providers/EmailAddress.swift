/// Addresses as programs give them.
public enum EmailAddress {
    /// The address with ASCII's letters in lower case; nil if the text is not an address.
    ///
    /// Nothing else is normalised: white space around it, a tag, full stops in the mailbox or another Unicode form of a letter may lead to
    /// another person's mailbox. A text that would have to be cleaned up is not an address.
    public static func normalized(_ text: String) -> String? {
        guard let address = ProfileDocument.emailAddress(text), !address.unicodeScalars.contains(where: \.properties.isWhitespace)
        else { return nil }
        return lowercased(address)
    }

    /// ASCII's letters alone in lower case: Unicode's rules make other letters equal to them (the KELVIN SIGN is a `k` in lower case), and
    /// with that two people's addresses.
    public static func lowercased(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// A sentence without anybody's address, for the journal.
    public static func struck(from text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        let scalars = Array(text.unicodeScalars)
        var (kept, index) = ([Unicode.Scalar](), 0)
        while index < scalars.count {
            let name = scalars[index] == "@" ? kept.reversed().prefix(while: isOfName).count : 0
            let host = name == 0 ? 0 : scalars[(index + 1)...].prefix(while: isOfHost).count
            if host > 0 {
                kept.removeLast(name)
                kept += Array("(an address)".unicodeScalars)
            } else {
                kept.append(scalars[index])
            }
            index += host + 1
        }
        return String(String.UnicodeScalarView(kept))
    }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && !"<>()[]\"'`,;:/=@".unicodeScalars.contains(scalar)
    }

    private static func isOfHost(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "." || scalar == "-"
    }

    /// Byte for byte: two forms of one letter are equal as strings, but to a mail server they are two mailboxes.
    public static func isSame(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.utf8.elementsEqual(other.utf8)
    }
}

/// What is known about who reads the mail at a user's own address.
///
/// Only the last case says whose address it is. A provider that checked an address did so once, by its own rules, and anyone who runs one
/// can make it say so of any address.
public enum AddressProof: String, Sendable, CaseIterable {
    /// Somebody typed it, or a provider sent it without having checked it.
    case none
    /// A provider says that it has checked it, but is not an authority for it.
    case provider
    /// The authority for the address signed its owner in as this user, or linked its account to it.
    case authority
}

extension AddressProof: Comparable {
    /// In the order of the cases.
    public static func < (left: Self, right: Self) -> Bool {
        left != right && allCases.first { $0 == left || $0 == right } == left
    }
}
