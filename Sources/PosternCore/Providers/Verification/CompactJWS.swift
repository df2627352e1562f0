import StrictJSON

/// A signed statement in the compact form (RFC 7515 section 7.1), parsed; nothing of it is trusted yet.
struct CompactJWS: Sendable {
    let header: JOSEHeader
    let payload: JSONObject
    let signature: [UInt8]
    /// Header and payload as received, which the signature covers.
    let signingInput: [UInt8]

    init(parsing text: Secret, mostBytes: Int) throws(IDTokenRejection) {
        guard text.count <= mostBytes else { throw .tooLarge(limit: mostBytes) }
        let bytes = text.revealBytes()
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        // RFC 7516 section 7.1: five parts are an encrypted one.
        guard parts.count != 5 else { throw .encrypted }
        guard parts.count == 3 else { throw .notCompact(parts: parts.count) }

        header = try JOSEHeader(try Self.object(.header, parts[0]))
        payload = try Self.object(.payload, parts[1])
        signature = try Self.decode(.signature, parts[2])
        signingInput = Array(bytes[..<parts[1].endIndex])
    }

    private static func decode(_ part: IDTokenRejection.Part, _ bytes: ArraySlice<UInt8>) throws(IDTokenRejection) -> [UInt8] {
        guard let decoded = Base64URL.decode(String(decoding: bytes, as: UTF8.self)) else { throw .invalidEncoding(part) }
        return decoded
    }

    private static func object(_ part: IDTokenRejection.Part, _ bytes: ArraySlice<UInt8>) throws(IDTokenRejection) -> JSONObject {
        let decoded = try decode(part, bytes)
        let json: JSON
        do throws(JSONParseError) { json = try JSON(parsing: decoded) } catch { throw .invalidJSON(part, error) }
        guard case .object(let object) = json else { throw .notAnObject(part) }
        return object
    }
}

extension CompactJWS {
    /// Signed with ES256; nil if the key is not on P-256.
    ///
    /// - Parameter header: serialized.
    static func signed(_ header: [UInt8], _ claims: JSONObject, by key: Secret, cryptography: some Cryptography) -> String? {
        let input = Base64URL.encode(header) + "." + Base64URL.encode(claims.serialized)
        guard let signature = cryptography.es256Signature(over: Array(input.utf8), privateKeyPEM: key) else { return nil }
        return input + "." + Base64URL.encode(signature)
    }
}

/// The header's statements about the signature (RFC 7515 section 4.1).
///
/// Only these members are read. A key that the token itself contains or refers to (`jwk`, `jku`, `x5u`, `x5c`) proves nothing and is always
/// ignored.
struct JOSEHeader: Sendable {
    /// As written; the next check decides whether it is accepted.
    let algorithm: String
    let keyID: String?

    init(_ members: JSONObject) throws(IDTokenRejection) {
        // Any value, even an empty or malformed one: no critical extension is supported (section 4.1.11).
        guard members["crit"] == nil else { throw .criticalExtension }
        let type: String?
        do throws(JSONMemberError) {
            algorithm = try members.required("alg")
            keyID = try members.optional("kid")
            type = try members.optional("typ")
            // RFC 7797 makes an unencoded payload critical; a header that does not say so is rejected as well.
            guard try members.optional("b64", as: Bool.self) ?? true else { throw JSONMemberError(path: "b64", reason: .unknown) }
        } catch {
            throw .headerMember(error)
        }
        // RFC 8725 section 3.11: `at+jwt`, `logout+jwt` and the like are other kinds of statements, signed with the same key.
        if let type, type.lowercased().ends(with: "+jwt") {
            throw .wrongTokenType(ProviderText.cleaned(type, longest: 64) ?? "unknown")
        }
    }
}
