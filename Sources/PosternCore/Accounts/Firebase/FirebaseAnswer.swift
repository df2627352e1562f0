import StrictJSON

/// A project's answer that is not a refusal: a document, of which nothing is trusted before its type was checked.
public struct FirebaseAnswer: Sendable {
    /// Far longer than an ID token with every claim that a project may add.
    static let longestToken = 32 * 1024

    let members: JSONObject

    init(_ members: JSONObject) { self.members = members }

    public init(_ response: ProviderResponse, now: Timestamp) throws(FirebaseRefusal) {
        if let refusal = FirebaseRefusal(response, now: now) { throw refusal }
        let json: JSON
        do throws(JSONParseError) { json = try JSON(parsing: response.body) } catch { throw .malformed("it is not JSON") }
        guard case .object(let members) = json else { throw .malformed("it is \(json.typeName), not an object") }
        self.members = members
    }

    // MARK: Members

    func text(_ key: String) throws(FirebaseRefusal) -> String? { try read { () throws(JSONMemberError) in try members.optional(key) } }

    func flag(_ key: String) throws(FirebaseRefusal) -> Bool {
        try read { () throws(JSONMemberError) in try members.optional(key, as: Bool.self) } ?? false
    }

    func object(_ key: String) throws(FirebaseRefusal) -> FirebaseAnswer? {
        try read { () throws(JSONMemberError) in try members.optional(key, as: JSONObject.self) }.map(FirebaseAnswer.init)
    }

    func requiredObject(_ key: String) throws(FirebaseRefusal) -> FirebaseAnswer {
        guard let object = try object(key) else { throw .malformed("it has no \(key)") }
        return object
    }

    func objects(_ key: String, most: Int) throws(FirebaseRefusal) -> [FirebaseAnswer] {
        let objects = try read { () throws(JSONMemberError) in try members.optional(key, as: [JSONObject].self) } ?? []
        guard objects.count <= most else { throw .malformed("\(key) has more than \(most) elements") }
        return objects.map(FirebaseAnswer.init)
    }

    func texts(_ key: String, most: Int) throws(FirebaseRefusal) -> [String] {
        let texts = try read { () throws(JSONMemberError) in try members.optional(key, as: [String].self) } ?? []
        guard texts.count <= most else { throw .malformed("\(key) has more than \(most) elements") }
        return texts.compactMap { ProviderText.cleaned($0, longest: ProviderText.longestName) }
    }

    /// Visible ASCII only: a token with a line feed would add a header of its own. Nil if the member is missing or empty.
    func token(_ key: String) throws(FirebaseRefusal) -> Secret? {
        guard let text = try text(key), !text.isEmpty else { return nil }
        guard text.utf8.count <= Self.longestToken, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw .malformed("\(key) is no token")
        }
        return Secret(text)
    }

    func requiredToken(_ key: String) throws(FirebaseRefusal) -> Secret {
        guard let token = try token(key) else { throw .malformed("it has no \(key)") }
        return token
    }

    /// An identifier from the server.
    func identifier(_ key: String) throws(FirebaseRefusal) -> String? {
        guard let text = try text(key), !text.isEmpty else { return nil }
        guard text.utf8.count <= 256, text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else { throw .malformed("\(key) is no identifier") }
        return text
    }

    /// A number, or one in a string: Google writes 64-bit numbers that way, and its servers and the emulator differ in some.
    func number(_ key: String) throws(FirebaseRefusal) -> Int64? {
        switch members[key] {
        case nil, .null?: return nil
        case .integer(let value)?: return value
        case .decimal(let text)?:
            guard let value = Double(text) else { throw .malformed("\(key) is no number") }
            return Int64(min(max(value, -9e15), 9e15))
        case .string(let text)?:
            guard text.utf8.count <= 20, let value = Int64(text) else { throw .malformed("\(key) is no number") }
            return value
        case let other?: throw .malformed("\(key) is \(other.typeName), not a number")
        }
    }

    private func read<Value>(_ body: () throws(JSONMemberError) -> Value) throws(FirebaseRefusal) -> Value {
        do throws(JSONMemberError) { return try body() } catch { throw .malformed(error.description) }
    }
}
