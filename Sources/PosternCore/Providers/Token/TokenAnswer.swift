import StrictJSON

/// The members of a successful answer, with the types they must have.
struct TokenAnswer {
    /// The longest token, in bytes. Longer ones do not exist, and would not fit in a header.
    static let longestToken = 16 * 1024

    let members: JSONObject

    /// The answer of an endpoint at which the client authenticates.
    init(_ response: ProviderResponse, at provider: ResolvedProvider, now: Timestamp) throws(TokenEndpointError) {
        do throws(TokenEndpointError) {
            try self.init(response, dialect: provider.dialect, now: now)
        } catch .refused(var refusal) where refusal.isOfClient {
            // A client that Postern registered itself is not the user's to change.
            let setup = provider.provider.extensions.registersClient ? nil : "`postern setup \(provider.id)` asks for the client again"
            let advice = [refusal.advice, provider.clientAdvice, setup].compactMap(\.self)
            refusal.advice = advice.isEmpty ? nil : advice.joined(separator: "; ")
            throw .refused(refusal)
        }
    }

    /// Throws for an error, by the status or by an `error` with any status, because GitHub sends its errors with 200.
    init(_ response: ProviderResponse, dialect: any ProviderDialect, now: Timestamp) throws(TokenEndpointError) {
        let allowsForms = dialect.answersTokenRequestsInForms
        if var failure = TransientFailure(response, now: now) {
            let members = try? Self.members(of: response, allowsForms: allowsForms)
            let refusal = members.flatMap { Self.refusal(in: $0, status: response.status) }
            (failure.error, failure.errorDescription) = (refusal?.error, refusal?.errorDescription)
            throw .transient(failure)
        }
        if 300..<400 ~= response.status { throw .malformed(.redirect(status: response.status), refusal: nil) }
        let isSuccess = 200..<300 ~= response.status
        if !isSuccess, response.body.isEmpty { throw .refused(OAuthRefusal(status: response.status, error: nil)) }

        let members = try Self.members(of: response, allowsForms: allowsForms)
        if let refusal = dialect.refusal(in: members, status: response.status) { throw refusal }
        if var refusal = Self.refusal(in: members, status: response.status) {
            refusal.advice = dialect.advice(on: refusal)
            if let error = refusal.error, ["temporarily_unavailable", "server_error", "slow_down"].contains(error) {
                throw .transient(
                    TransientFailure(
                        status: response.status, error: error, errorDescription: refusal.errorDescription,
                        retryAfterSeconds: response.retryAfterSeconds(now: now)))
            }
            throw .refused(refusal)
        }
        if let error = members["error"], error != .null, error != .string("") {
            // Facebook's errors are objects. Their message is worth showing, but they are not OAuth errors.
            throw .malformed(
                .wrongType(member: "error", expected: "a string", found: error.typeName),
                refusal: OAuthRefusal(status: response.status, word: nil, sentence: error.objectValue?["message"]?.stringValue))
        }
        guard isSuccess else {
            throw .refused(OAuthRefusal(status: response.status, word: nil, sentence: members["message"]?.stringValue))
        }
        self.members = members
    }

    /// The members of an answer, without checking their meaning; nil for any status but 2xx.
    init?(anythingIn response: ProviderResponse, dialect: any ProviderDialect) {
        guard 200..<300 ~= response.status,
            let members = try? Self.members(of: response, allowsForms: dialect.answersTokenRequestsInForms)
        else { return nil }
        self.members = members
    }

    private static func members(of response: ProviderResponse, allowsForms: Bool) throws(TokenEndpointError) -> JSONObject {
        guard response.body.count <= TokenResponse.mostBytes else {
            throw .malformed(.tooLarge(limit: TokenResponse.mostBytes), refusal: nil)
        }
        if allowsForms, response.mediaType == "application/x-www-form-urlencoded" {
            guard let pairs = try? FormEncoding.pairs(response.body) else { throw .malformed(.notAForm, refusal: nil) }
            var object = JSONObject()
            for (name, value) in pairs { object[name] = .string(value) }
            return object
        }
        // Whatever the media type is: many servers get it wrong, and what parses as a JSON object is meant as one.
        let json: JSON
        do throws(AnswerBodyFlaw) {
            json = try AnswerBody.json(in: response.body)
        } catch {
            throw .malformed(.notJSON(status: response.status, error), refusal: nil)
        }
        guard case .object(let object) = json else { throw .malformed(.notAnObject(found: json.typeName), refusal: nil) }
        return object
    }

    private static func refusal(in members: JSONObject, status: Int) -> OAuthRefusal? {
        guard let error = members["error"]?.stringValue, !error.isEmpty else { return nil }
        return OAuthRefusal(status: status, word: error, sentence: members["error_description"]?.stringValue)
    }
}
