import PosternValues
import PosternCrypto
import StrictJSON

/// The device authorization grant (RFC 8628).
extension AuthorizationServer {
    static let deviceGrantType = "urn:ietf:params:oauth:grant-type:device_code"

    /// Sections 3.1 and 3.2.
    mutating func authorizeDevice(
        authorization: String?, parameters: FormParameters, now: Timestamp
    ) throws(OAuthError) -> JSONObject {
        let client = try authenticate(authorization: authorization, parameters: parameters)
        let scopes = Self.scopes(in: parameters)
        guard !scopes.isEmpty else {
            throw OAuthError(code: "invalid_scope", description: "ask for one of \(Self.scopes.joined(separator: ", "))")
        }
        let deviceCode = try RandomToken.make()
        let userCode = try makeUserCode()
        let expiresAt = now.adding(seconds: Int64(options.deviceCodeSeconds))
        devices.insert(
            DeviceRequest(
                client: client, scopes: scopes, intervalSeconds: Int64(options.deviceIntervalSeconds), expiresAt: expiresAt),
            under: deviceCode, now: now)
        userCodes.insert(deviceCode, under: userCode, now: now)
        return [
            "device_code": .string(deviceCode), "user_code": .string(userCode), "verification_uri": .string("\(issuer)/device"),
            "verification_uri_complete": .string("\(issuer)/device?user_code=\(userCode)"),
            "expires_in": .integer(Int64(options.deviceCodeSeconds)), "interval": .integer(Int64(options.deviceIntervalSeconds)),
        ]
    }

    private func makeUserCode() throws(OAuthError) -> String {
        let random = try OAuthError.ofServer { () throws(CryptoError) in try RandomBytes.generate(64) }
        guard let code = UserCode.make(random: random) else { throw .serverFault }
        return code
    }

    /// The request that the code was issued for, while it waits for the user.
    func deviceRequest(userCode: String, now: Timestamp) -> DeviceRequest? {
        guard let deviceCode = userCodes.value(userCode, now: now), let request = devices.value(deviceCode, now: now),
            request.answer == nil, now < request.expiresAt
        else { return nil }
        return request
    }

    /// False if no such request waits: it was answered, has expired, or never existed.
    mutating func decideDevice(userCode: String, _ decision: Decision, now: Timestamp) -> Bool {
        guard deviceRequest(userCode: userCode, now: now) != nil, let deviceCode = userCodes.remove(userCode, now: now)
        else { return false }
        devices.update(deviceCode) { request in
            switch decision {
            case .person(let person): request.answer = .person(person, at: now)
            case .denied: request.answer = .denied
            }
        }
        return true
    }

    /// Sections 3.4 and 3.5. A code becomes invalid once tokens have been issued for it.
    mutating func redeemDevice(_ parameters: FormParameters, client: DemoClient, now: Timestamp) throws(OAuthError) -> JSONObject {
        guard let code = parameters["device_code"] else { throw .invalidRequest("device_code is missing") }
        guard let request = devices.value(code, now: now) else { throw .invalidGrant("no such device code") }
        guard request.client.id == client.id else { throw .invalidGrant("the device code was given to another client") }
        guard now < request.expiresAt else { throw OAuthError(code: "expired_token", description: "the device code has expired") }
        if let last = request.lastAskedAt, now < last.adding(seconds: request.intervalSeconds) {
            devices.update(code) {
                $0.lastAskedAt = now
                $0.intervalSeconds += 5
            }
            throw OAuthError(code: "slow_down", description: "ask again after \(request.intervalSeconds + 5) s")
        }
        devices.update(code) { $0.lastAskedAt = now }
        switch request.answer {
        case nil: throw OAuthError(code: "authorization_pending", description: "the user has not answered yet")
        case .denied:
            devices.remove(code, now: now)
            throw OAuthError(code: "access_denied", description: "the user denied access")
        case .person(let person, let authenticatedAt):
            devices.remove(code, now: now)
            let grant = ApprovedGrant(
                person: person, clientID: client.id, scopes: request.scopes, nonce: nil, authenticatedAt: authenticatedAt)
            return try answer(grant, scopes: request.scopes, family: try RandomToken.make(), nonce: nil, now: now)
        }
    }
}
