import Varlink

/// The marks for the generator in the comment above a definition, in words that people read as well:
///
///     # Secret: accessToken, idToken.                members that become a `Secret`
///     # With `more`: …                               the method replies more than once
///     # With `more` only: …                          it replies until the caller goes
///     # Code: 17071 (invalidProviderID).             the error's number; 0 without
///     # Needs: store, client.                        what the method cannot do without (``Method/Need``)
struct Marks {
    private(set) var secrets: Set<String> = []
    private(set) var code: Int?
    private(set) var replies = Method.Replies.once
    /// As written.
    private(set) var needs: [String] = []
    /// The comment, without what the Swift type already says.
    private(set) var documentation: [String] = []

    init(secrets: Set<String>) { self.secrets = secrets }

    init(_ comment: String) {
        var lines = comment.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(Substring.init)[...]
        if comment.isEmpty { lines = [] }
        while let line = lines.popFirst() {
            if let names = Self.rest(of: line, after: "Secret:") {
                secrets.formUnion(Self.names(in: names))
                // The list may span several lines; a full stop ends it.
                var last = line
                while last.unicodeScalars.last != ".", let next = lines.popFirst() {
                    secrets.formUnion(Self.names(in: next))
                    last = next
                }
                continue
            }
            if let number = Self.rest(of: line, after: "Code:") {
                code = Int(String(number.unicodeScalars.drop { $0 == " " }.prefix { ("0"..."9").contains($0) }))
            }
            if let names = Self.rest(of: line, after: "Needs:") {
                needs += Self.names(in: names)
                continue
            }
            if Self.rest(of: line, after: "With `more`:") != nil { replies = .many }
            if Self.rest(of: line, after: "With `more` only:") != nil { replies = .endless }
            documentation.append(String(line))
        }
    }

    /// A mistyped name would leave a secret unprotected.
    func checkNames(in fields: [InterfaceDescription.Field], of owner: String) throws(GeneratorError) {
        for secret in secrets.sorted() where !fields.contains(where: { $0.name == secret }) {
            throw GeneratorError("\(owner) has no member \(secret), which its comment calls secret")
        }
    }

    private static func rest(of line: Substring, after mark: String) -> Substring? {
        line.utf8.starts(with: mark.utf8) ? Substring(line.utf8.dropFirst(mark.utf8.count)) : nil
    }

    private static func names(in text: Substring) -> [String] {
        text.unicodeScalars.split { ",. ".unicodeScalars.contains($0) }.map(String.init)
    }
}
