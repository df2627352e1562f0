/// Addresses as programs give them.
public enum EmailAddress {
    /// The address in lower case; nil for what is none.
    ///
    /// Nothing else is made equal: white space around it, a tag, full stops in the mailbox or another Unicode form of a letter may lead to
    /// another person's mailbox. What would have to be cleaned is no address.
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
