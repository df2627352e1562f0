import StrictJSON

extension ProviderResponse {
    /// The answer without what it repeats of the request's secrets: what an error says is shown to programs and users, and is written to the
    /// log.
    ///
    /// Every answer passes through here before anything of it is read. Of a successful one only the members that say something change: a
    /// refresh may give the same refresh token again.
    public func withoutEcho(of request: ProviderRequest) -> ProviderResponse {
        let isSuccess = 200..<300 ~= status
        let json = try? JSON(parsing: body)
        if isSuccess, json.map({ !$0.hasWords }) ?? false { return self }
        var echo = Echo(secrets: EchoedSecrets(of: request), isSuccess: isSuccess)
        var answer = self
        if let json {
            echo.addIssued(in: json)
            let struck = echo.struck(json, isMeant: !isSuccess)
            if echo.wasFound { answer.body = struck.serialized }
        } else if let pairs = form {
            let struck = pairs.map { (name: $0.name, value: echo.struck($0.value, of: $0.name)) }
            if echo.wasFound { answer.body = PercentEncoding.form(struck) }
        } else if !isSuccess {
            let struck = echo.struck(String(decoding: body, as: UTF8.self))
            if echo.wasFound { answer.body = Array(struck.utf8) }
        }
        for index in answer.headers.indices where answer.headers[index].name.isEqualIgnoringCase("www-authenticate") {
            answer.headers[index].value = echo.struck(answer.headers[index].value)
        }
        return answer
    }

    /// The members of a form, by their names; nil if the body is none.
    private var form: [(name: String, value: String)]? {
        guard body.first != UInt8(ascii: "<"), body.contains(UInt8(ascii: "=")), let pairs = try? FormEncoding.pairs(body) else {
            return nil
        }
        return pairs.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }
}

/// What the members of answers are for, by their names.
private enum AnswerMember {
    /// For people, or the code of an error.
    static func saysSomething(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.begins(with: "error") || words.contains(name)
    }

    private static let words: Set<String> = [
        "message", "msg", "detail", "details", "title", "reason", "description", "hint", "debug", "warnings", "token_type", "oauth_problem",
        "oauth_problem_advice",
    ]

    /// Issued with this answer.
    static let secrets: Set<String> = [
        "access_token", "refresh_token", "id_token", "client_secret", "registration_access_token", "device_code", "oauth_token_secret",
        "idToken", "refreshToken",
    ]
}

/// The search for secrets in one answer.
private struct Echo {
    var secrets: EchoedSecrets
    let isSuccess: Bool
    private(set) var wasFound = false

    /// An answer may also repeat what it issues.
    mutating func addIssued(in json: JSON) {
        for member in json.objectValue?.members ?? [] where AnswerMember.secrets.contains(member.key) {
            if let secret = member.value.stringValue { secrets.add(secret) }
        }
    }

    mutating func struck(_ text: String) -> String {
        let struck = secrets.struck(text)
        if struck != text { wasFound = true }
        return struck
    }

    /// A member of a form.
    mutating func struck(_ value: String, of name: String) -> String {
        isSuccess && !AnswerMember.saysSomething(name) ? value : struck(value)
    }

    /// - Parameter isMeant: all texts are, and not only those of members that say something.
    mutating func struck(_ json: JSON, isMeant: Bool) -> JSON {
        switch json {
        case .string(let text): return isMeant ? .string(struck(text)) : json
        case .array(let values):
            var result: [JSON] = []
            for value in values { result.append(struck(value, isMeant: isMeant)) }
            return .array(result)
        case .object(let object):
            return .object(object.mapValues { struck($1, isMeant: isMeant || AnswerMember.saysSomething($0)) })
        default: return json
        }
    }
}

extension JSON {
    /// Some member says something.
    fileprivate var hasWords: Bool {
        switch self {
        case .object(let object): object.members.contains { AnswerMember.saysSomething($0.key) || $0.value.hasWords }
        case .array(let values): values.contains(where: \.hasWords)
        default: false
        }
    }
}
