import StrictJSON

/// A profile as a provider sent it, with access to its members.
struct ProfileDocument: Sendable {
    static let mostBytes = 256 * 1024
    static let longestURL = 2048
    static let longestAddress = 254

    let members: JSONObject

    init(_ members: JSONObject) { self.members = members }

    /// Reads a JSON answer; throws for a refusal and for a transient failure.
    init(from answer: ProviderResponse, now: Timestamp) throws(ProfileError) {
        try Self.checkStatus(of: answer, now: now)
        let json = try Self.json(in: answer)
        guard case .object(let object) = json else { throw .notAnObject(found: json.typeName) }
        members = object
    }

    static func checkStatus(of answer: ProviderResponse, now: Timestamp) throws(ProfileError) {
        if let failure = TransientFailure(answer, now: now) { throw .transient(failure) }
        guard 200..<300 ~= answer.status else { throw .refused(OAuthRefusal(inErrorAnswer: answer)) }
    }

    static func json(in answer: ProviderResponse) throws(ProfileError) -> JSON {
        guard answer.body.count <= mostBytes else { throw .tooLarge(limit: mostBytes) }
        do throws(AnswerBodyFlaw) { return try AnswerBody.json(in: answer.body) } catch { throw .notJSON(error) }
    }

    /// The member at a path such as `data.id`; nil if it is missing or null.
    ///
    /// A member whose own name contains the full stops takes precedence: some providers name claims by URLs.
    subscript(path: String) -> JSON? {
        guard let value = members[path] ?? nested(path), value != .null else { return Optional.none }
        return value
    }

    private func nested(_ path: String) -> JSON? {
        var object = members
        let names = path.parts(separator: ".", omittingEmptySubsequences: false)
        for name in names.dropLast() {
            guard let next = object[String(name)]?.objectValue else { return Optional.none }
            object = next
        }
        return names.last.flatMap { object[String($0)] }
    }

    /// An account's stable identifier: a string, or an integer, kept digit for digit. A number with a fraction or an exponent is neither:
    /// it can be written in several ways, and would become several accounts.
    func identifier(_ path: String) throws(ProfileError) -> String {
        switch self[path] {
        case .string(let text)?:
            guard (1...SubjectCheck.longest).contains(text.utf8.count), text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
                throw .member(JSONMemberError(path: path, reason: .notAllowed("must be 1 to \(SubjectCheck.longest) ASCII characters")))
            }
            return text
        case .integer(let number)?: return String(number)
        // An integer of more than 64 bits.
        case .decimal(let digits)? where digits.utf8.allSatisfy(\.isDecimalDigit): return digits
        case nil: throw .member(JSONMemberError(path: path, reason: .missing))
        case let other?:
            throw .member(JSONMemberError(path: path, reason: .wrongType(expected: "a string or an integer", found: other.typeName)))
        }
    }

    /// A text for the user to read; nil if there is none, or it has nothing readable.
    func name(_ path: String) -> String? {
        self[path]?.stringValue.flatMap { ProviderText.cleaned($0, longest: ProviderText.longestName) }
    }

    /// The URL of a web page or picture; nil for anything else, such as `javascript:` and `data:`.
    func webAddress(_ path: String) -> String? { self[path]?.stringValue.flatMap { Self.isWebAddress($0) ? $0 : nil } }

    static func isWebAddress(_ text: String) -> Bool {
        let lowered = text.lowercased()
        return (lowered.begins(with: "https://") || lowered.begins(with: "http://")) && text.utf8.count <= longestURL
            && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }

    func emailAddress(_ path: String) -> String? { self[path]?.stringValue.flatMap(Self.emailAddress) }

    /// Nil if the text is not a plain address (RFC 5321 section 4.5.3.1 for the length). One that would have to be cleaned is rejected: the
    /// result might be another person's. Quoted local parts, which may contain a second `@`, are only used to confuse.
    static func emailAddress(_ text: String) -> String? {
        let parts = text.parts(separator: "@", omittingEmptySubsequences: false)
        guard text.utf8.count <= longestAddress, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), !text.unicodeScalars.contains(" "),
            ProviderText.cleaned(text, longest: longestAddress) == text
        else { return nil }
        return text
    }
}
