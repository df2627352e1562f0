import PosternApplication
import PosternCore
import PosternCrypto
import StrictJSON

/// A Firebase project that behaves as the emulator, with the same order of checks, without its errors.
///
/// It differs from the emulator if that is known to differ from Google's servers: an account whose address was never verified loses its
/// other ways to sign in when the address's owner signs in; a reauthentication creates no user; nonces are checked; calls that need a recent
/// sign-in say so, and a link is one.
///
/// It also takes the access tokens of ``ScriptedPeople``: `work` is the authority for every address, the others for none.
@DaemonActor
final class ScriptedProject {
    struct Member {
        var email: String?
        var password: String?
        var displayName: String?
        var photoURL: String?
        var accounts: [(providerID: String, subject: String, email: String?)] = []
        var isProved = false
        var isDisabled = false
        var factors: [Factor] = []
        /// Older tokens are worth nothing.
        var validSince: Int64 = 0
    }

    struct Factor {
        enum Kind: Equatable {
            case phone(String)
            case authenticator
            /// Every code is right.
            case any
        }

        var id: String
        var name: String?
        var kind: Kind
    }

    /// What a token stands for.
    private struct SignIn {
        var uid: String
        var provider: String
        var factor: String?
        var moment: Int64
        /// Of an ID token.
        var issued: Int64 = 0
        var end: Int64 = 0
    }

    nonisolated(unsafe) var members: [String: Member] = [:]

    /// Another program has unlinked every account of this provider, and linked this one.
    nonisolated func replaces(_ providerID: String, with subject: String) {
        for uid in members.keys {
            for index in members[uid]?.accounts.indices ?? 0..<0 where members[uid]?.accounts[index].providerID == providerID {
                members[uid]?.accounts[index].subject = subject
            }
        }
    }

    nonisolated(unsafe) var key = "key"
    nonisolated(unsafe) var isOneAccountPerEmail = true
    nonisolated(unsafe) var protectsEnumeration = false
    nonisolated(unsafe) var disabledMethods: Set<String> = []
    /// Of ID tokens.
    nonisolated(unsafe) var lifetime: Int64 = 86_400
    nonisolated(unsafe) var clock = FakeClock()
    /// How far its own clock is ahead of that one.
    nonisolated(unsafe) var ahead: Int64 = 0
    /// What it does is done, and its answers do not arrive.
    nonisolated(unsafe) var answersAreLost = false
    /// The next answers to these calls.
    nonisolated(unsafe) var failures: [(call: String, status: Int, body: String)] = []
    /// What it was asked, in order.
    private(set) nonisolated(unsafe) var requests: [(call: String, body: JSONObject)] = []
    /// The code that was sent to a telephone last.
    private(set) nonisolated(unsafe) var sentCode = ""

    private nonisolated(unsafe) var made = 0
    /// By ID token, by refresh token, and by what a first factor that was right was answered with.
    private nonisolated(unsafe) var signIns: [JSON: SignIn] = [:]
    /// Enrolments, and codes that were sent.
    private nonisolated(unsafe) var sessions: [JSON: (kind: Factor.Kind, code: JSON)] = [:]
    private static nonisolated let authenticatorSecret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    nonisolated init() {}

    nonisolated var asked: [String] { requests.map(\.call) }

    nonisolated var now: Int64 { clock.now.seconds + ahead }

    nonisolated var authenticatorCode: String { Authenticator(Self.authenticatorSecret).code(at: Timestamp(seconds: now)) }

    nonisolated func requireFactor(of uid: String) { members[uid]?.factors = [Factor(id: "f1", kind: .any)] }

    nonisolated func uid(of subject: String, at providerID: String) -> String? {
        members.first { $0.value.accounts.contains { $0.providerID == providerID && $0.subject == subject } }?.key
    }

    private func uid(ofEmail email: String?) -> String? { members.first { $0.value.email != nil && $0.value.email == email?.lowercased() }?.key }

    nonisolated func add(_ member: Member) -> String {
        let uid = newID("u")
        members[uid] = member
        return uid
    }

    private nonisolated func newID(_ kind: String) -> String {
        made += 1
        return "\(kind)\(made)"
    }

    // MARK: Answering

    func answer(to request: ProviderRequest) -> ScriptedProvider.Answer {
        let path = request.url.split(separator: "/accounts")
        let call = path.count == 2 ? String(path[1].dropFirst()) : "token"
        let body = (try? JSON(parsing: request.body))?.objectValue ?? JSONObject()
        requests.append((call, body))
        if let index = failures.firstIndex(where: { $0.call == call }) {
            let failure = failures.remove(at: index)
            return .success(ProviderResponse(status: failure.status, body: Array(failure.body.utf8)))
        }
        guard request.headers.contains(where: { $0 == ("x-goog-api-key", key) }) else {
            return ScriptedPeople.answer(["error": ["message": "The request is missing a valid API key."]], status: 403)
        }
        let answer: ScriptedProvider.Answer
        do {
            answer = ScriptedPeople.answer(
                call == "token" ? try refreshed(.string(request.form["refresh_token"] ?? "")) : try reply(to: call, body))
        } catch { answer = ScriptedPeople.answer(["error": ["message": .string("\(error)")]], status: 400) }
        return answersAreLost ? .failure(TransportFailure("the connection was lost", mayHaveReachedServer: true)) : answer
    }

    private func reply(to call: String, _ body: JSONObject) throws -> JSONObject {
        switch call {
        case "signInWithIdp": return try presented(body)
        case "signUp": return try signedUp(body)
        case "signInWithPassword": return try signedIn(withPassword: body)
        case "lookup":
            let uid = try user(body).uid
            return ["users": [.object(described(uid, members[uid] ?? Member()))]]
        case "update": return try updated(body)
        case "delete":
            members[try user(body, isRecent: true).uid] = nil
            return [:]
        case "createAuthUri":
            let email = try address(body["identifier"])
            if protectsEnumeration { return [:] }
            let found = members.values.filter { $0.email == email || isOneAccountPerEmail && $0.accounts.contains { $0.email == email } }
            let names = found.flatMap { described("", $0)["providerUserInfo"]?.arrayValue ?? [] }.map { $0.objectValue?["providerId"] ?? .null }
            return found.isEmpty ? [:] : ["allProviders": .array(names), "signinMethods": .array(names)]
        case "mfaEnrollment:start": return try enrollment(body)
        case "mfaEnrollment:finalize":
            let signIn = try user(body)
            let session = (body["totpVerificationInfo"] ?? body["phoneVerificationInfo"])?.objectValue?["sessionInfo"] ?? .null
            guard let kind = sessions[session]?.kind else { throw TestFailure("INVALID_SESSION_INFO") }
            try check(body, kind)
            let factor = Factor(id: newID("f"), name: body["displayName"]?.stringValue, kind: kind)
            members[signIn.uid]?.factors.append(factor)
            return tokens(signIn, with: factor.id)
        case "mfaEnrollment:withdraw":
            let signIn = try user(body)
            members[signIn.uid]?.factors.removeAll { $0.id == body["mfaEnrollmentId"]?.stringValue }
            return tokens(signIn, with: nil)
        case "mfaSignIn:start":
            let (_, factor) = try waiting(body)
            return ["phoneResponseInfo": ["sessionInfo": session(factor.kind)]]
        case "mfaSignIn:finalize":
            let (signIn, factor) = try waiting(body)
            try check(body, factor.kind)
            signIns[body["mfaPendingCredential"] ?? .null] = nil
            return tokens(signIn, with: factor.id)
        default: throw TestFailure("NOT_FOUND")
        }
    }

    // MARK: Tokens

    private func tokens(_ signIn: SignIn, with factor: String?) -> JSONObject {
        var signIn = signIn
        signIn.factor = factor
        let refreshToken = JSON.string(newID("rt-"))
        signIns[refreshToken] = signIn
        return [
            "idToken": idToken(signIn), "refreshToken": refreshToken, "expiresIn": .string("\(lifetime)"), "localId": .string(signIn.uid),
        ]
    }

    private func tokens(_ uid: String, by provider: String) -> JSONObject {
        tokens(SignIn(uid: uid, provider: provider, moment: now), with: nil)
    }

    private func idToken(_ signIn: SignIn) -> JSON {
        var firebase: JSONObject = ["sign_in_provider": .string(signIn.provider)]
        firebase.set("second_factor_identifier", signIn.factor)
        let claims: JSONObject = [
            "iss": "https://securetoken.google.com/demo-project", "aud": "demo-project", "sub": .string(signIn.uid),
            "auth_time": .integer(signIn.moment), "iat": .integer(now), "exp": .integer(now + lifetime), "firebase": .object(firebase),
            "jti": .string(newID("")),
        ]
        let header: JSONObject = ["alg": "RS256", "kid": "1", "typ": "JWT"]
        let parts = [header.serialized, claims.serialized, Array("signature".utf8)].map { Base64URL.encode($0) }
        let token = JSON.string(parts.joined(separator: "."))
        signIns[token] = signIn
        signIns[token]?.issued = now
        signIns[token]?.end = now + lifetime
        return token
    }

    private func refreshed(_ token: JSON) throws -> JSONObject {
        guard let signIn = signIns[token], let member = members[signIn.uid] else { throw TestFailure("INVALID_REFRESH_TOKEN") }
        if member.isDisabled { throw TestFailure("USER_DISABLED") }
        if signIn.moment < member.validSince { throw TestFailure("TOKEN_EXPIRED") }
        return ["id_token": idToken(signIn), "refresh_token": token, "expires_in": .string("\(lifetime)")]
    }

    /// Whose ID token it is.
    private func user(_ body: JSONObject, isRecent: Bool = false) throws -> SignIn {
        guard let signIn = signIns[body["idToken"] ?? .null], let member = members[signIn.uid] else { throw TestFailure("USER_NOT_FOUND") }
        if member.isDisabled { throw TestFailure("USER_DISABLED") }
        if signIn.issued < member.validSince || signIn.end + 60 <= now { throw TestFailure("TOKEN_EXPIRED") }
        if isRecent, now - signIn.moment > 300 { throw TestFailure("CREDENTIAL_TOO_OLD_LOGIN_AGAIN") }
        return signIn
    }

    /// The first factor was right.
    private func entered(_ uid: String, by provider: String) throws -> JSONObject {
        let member = members[uid] ?? Member()
        if member.isDisabled { throw TestFailure("USER_DISABLED") }
        if member.factors.isEmpty { return tokens(uid, by: provider) }
        let credential = JSON.string(newID("pending"))
        signIns[credential] = SignIn(uid: uid, provider: provider, moment: now)
        return ["mfaPendingCredential": credential, "mfaInfo": .array(member.factors.map { described($0, isHidden: true) })]
    }

    // MARK: Accounts of providers

    private func presented(_ body: JSONObject) throws -> JSONObject {
        let form = ProviderRequest.members(ofForm: body["postBody"]?.stringValue ?? "")
        let providerID = form["providerId"] ?? ""
        if disabledMethods.contains(providerID) { throw TestFailure("OPERATION_NOT_ALLOWED : The identity provider configuration is not found.") }
        let claims = try claims(form, of: providerID)
        let (subject, email) = (claims["sub"]?.stringValue ?? "", claims["email"]?.stringValue?.lowercased())
        let (name, photo, isVerified) = (claims["name"]?.stringValue, claims["picture"]?.stringValue, claims["email_verified"] == true)
        let account = (providerID: providerID, subject: subject, email: email)
        var answer: JSONObject = ["oauthExpireIn": 3600]
        answer.set("email", email)
        answer.set("displayName", name)
        answer.set("photoUrl", photo)
        answer.set("oauthIdToken", form["id_token"])
        answer.set("oauthAccessToken", form["access_token"])
        func adding(_ more: JSONObject) -> JSONObject { more.members.reduce(into: answer) { $0[$1.key] = $1.value } }
        let current = body["idToken"] == nil ? nil : try user(body).uid
        let owner = uid(of: subject, at: providerID)
        let namesake = isOneAccountPerEmail ? uid(ofEmail: email) : nil
        if let current {
            if owner != nil { return adding(["errorMessage": "FEDERATED_USER_ID_ALREADY_LINKED"]) }
            if let namesake, namesake != current { return adding(["errorMessage": "EMAIL_EXISTS"]) }
            take(account, for: current)
            if let email, members[current]?.email == nil, isOneAccountPerEmail {
                members[current]?.email = email
                members[current]?.isProved = isVerified
            } else if isVerified, email == members[current]?.email {
                members[current]?.isProved = true
            }
            return adding(tokens(current, by: providerID))
        }
        if let owner {
            take(account, for: owner)
            return adding(try entered(owner, by: providerID))
        }
        if body["autoCreate"] == false { throw TestFailure("USER_NOT_FOUND") }
        if let namesake, var member = members[namesake] {
            guard isVerified else {
                return adding(["needConfirmation": true, "verifiedProvider": .array(member.accounts.map { .string($0.providerID) })])
            }
            if !member.isProved { member = Member(email: email, validSince: now) }
            (member.displayName, member.photoURL, member.isProved) = (name, photo, true)
            members[namesake] = member
            take(account, for: namesake)
            return adding(try entered(namesake, by: providerID))
        }
        let uid = add(
            Member(
                email: isOneAccountPerEmail ? email : nil, displayName: name, photoURL: photo, accounts: [account],
                isProved: isOneAccountPerEmail && isVerified))
        answer["isNewUser"] = true
        return adding(try entered(uid, by: providerID))
    }

    private func claims(_ form: [String: String], of providerID: String) throws -> JSONObject {
        guard let token = form["id_token"] else {
            let person = form["access_token"]?.person ?? ""
            return ["sub": .string(person.subject), "email": .string(person.address), "email_verified": .bool(providerID == "work")]
        }
        let payload = Base64URL.decode(String(token.split(separator: ".")[1])) ?? []
        let claims = try JSON(parsing: payload).objectValue ?? [:]
        let raw = form["nonce"] ?? ""
        if let nonce = claims["nonce"]?.stringValue, nonce != raw, nonce != Self.hashed(raw) {
            throw TestFailure("MISSING_OR_INVALID_NONCE : Nonce is missing in the request.")
        }
        return claims
    }

    /// As it is sent to Facebook.
    static nonisolated func hashed(_ nonce: String) -> String { Hexadecimal.encode(OpenSSLCryptography().sha256(Array(nonce.utf8))) }

    private func take(_ account: (providerID: String, subject: String, email: String?), for uid: String) {
        if let index = members[uid]?.accounts.firstIndex(where: { $0.providerID == account.providerID }) {
            members[uid]?.accounts[index] = account
        } else {
            members[uid]?.accounts.append(account)
        }
    }

    // MARK: Passwords and anonymous users

    private func signedUp(_ body: JSONObject) throws -> JSONObject {
        let current = body["idToken"] == nil ? nil : try user(body).uid
        if body["email"] == nil, body["password"] == nil, current == nil {
            if disabledMethods.contains("anonymous") { throw TestFailure("ADMIN_ONLY_OPERATION") }
            return tokens(add(Member()), by: "anonymous")
        }
        if disabledMethods.contains("password") { throw TestFailure("OPERATION_NOT_ALLOWED") }
        let email = try address(body["email"])
        let password = try password(body["password"])
        if let taken = uid(ofEmail: email), taken != current { throw TestFailure("EMAIL_EXISTS") }
        let uid = current ?? add(Member(displayName: body["displayName"]?.stringValue))
        members[uid]?.email = email
        members[uid]?.password = password
        return tokens(uid, by: "password")
    }

    private func address(_ text: JSON?) throws -> String {
        guard let text = text?.stringValue, !text.isEmpty else { throw TestFailure("MISSING_EMAIL") }
        guard text.wholeMatch(of: #/[^@\s]+@[^@\s]+/#) != nil else { throw TestFailure("INVALID_EMAIL") }
        return text.lowercased()
    }

    private func password(_ text: JSON?) throws -> String {
        guard let text = text?.stringValue, !text.isEmpty else { throw TestFailure("MISSING_PASSWORD") }
        guard text.count >= 6 else { throw TestFailure("WEAK_PASSWORD : Password should be at least 6 characters") }
        return text
    }

    private func signedIn(withPassword body: JSONObject) throws -> JSONObject {
        if disabledMethods.contains("password") { throw TestFailure("PASSWORD_LOGIN_DISABLED") }
        let email = try address(body["email"])
        guard let password = body["password"]?.stringValue, !password.isEmpty else { throw TestFailure("MISSING_PASSWORD") }
        let uid = uid(ofEmail: email)
        guard let uid, members[uid]?.password == password else {
            throw TestFailure(protectsEnumeration ? "INVALID_LOGIN_CREDENTIALS" : uid == nil ? "EMAIL_NOT_FOUND" : "INVALID_PASSWORD")
        }
        var answer = try entered(uid, by: "password")
        answer["email"] = .string(email)
        return answer
    }

    // MARK: The user

    private func updated(_ body: JSONObject) throws -> JSONObject {
        var signIn = try user(body, isRecent: body["email"] != nil || body["password"] != nil)
        var member = members[signIn.uid] ?? Member()
        if body["email"] != nil {
            let email = try address(body["email"])
            if let taken = uid(ofEmail: email), taken != signIn.uid { throw TestFailure("EMAIL_EXISTS") }
            (member.email, member.isProved) = (email, false)
        }
        if body["password"] != nil {
            member.password = try password(body["password"])
            signIn.provider = "password"
        }
        if let name = body["displayName"]?.stringValue { member.displayName = name }
        if let photo = body["photoUrl"]?.stringValue { member.photoURL = photo }
        for attribute in body["deleteAttribute"]?.arrayValue ?? [] {
            if attribute == "DISPLAY_NAME" { member.displayName = nil } else { member.photoURL = nil }
        }
        for providerID in body["deleteProvider"]?.arrayValue ?? [] {
            if providerID == "password" { member.password = nil }
            member.accounts.removeAll { $0.providerID == providerID.stringValue }
        }
        members[signIn.uid] = member
        return body["email"] == nil && body["password"] == nil ? ["localId": .string(signIn.uid)] : tokens(signIn, with: signIn.factor)
    }

    private func described(_ uid: String, _ member: Member) -> JSONObject {
        var accounts = member.accounts
        if let email = member.email, member.password != nil { accounts.append(("password", email, email)) }
        let infos = accounts.map { account -> JSON in
            var info: JSONObject = ["providerId": .string(account.providerID), "rawId": .string(account.subject)]
            info["federatedId"] = info["rawId"]
            info.set("email", account.email)
            return .object(info)
        }
        var user: JSONObject = [
            "localId": .string(uid), "providerUserInfo": .array(infos), "emailVerified": .bool(member.isProved),
            "mfaInfo": .array(member.factors.map { described($0) }),
        ]
        user.set("email", member.email)
        user.set("displayName", member.displayName)
        user.set("photoUrl", member.photoURL)
        return user
    }

    // MARK: Second factors

    private func described(_ factor: Factor, isHidden: Bool = false) -> JSON {
        var info: JSONObject = ["mfaEnrollmentId": .string(factor.id), "enrolledAt": "2026-01-01T00:00:00.123Z"]
        info.set("displayName", factor.name)
        if case .phone(let number) = factor.kind {
            info["phoneInfo"] = .string(isHidden ? "+*******\(number.suffix(4))" : number)
        } else {
            info["totpInfo"] = [:]
        }
        return .object(info)
    }

    private func enrollment(_ body: JSONObject) throws -> JSONObject {
        let member = members[try user(body, isRecent: true).uid] ?? Member()
        guard member.isProved else { throw TestFailure("UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors.") }
        if body["totpEnrollmentInfo"] != nil {
            return ["totpSessionInfo": ["sharedSecretKey": .string(Self.authenticatorSecret), "sessionInfo": session(.authenticator)]]
        }
        let number = body["phoneEnrollmentInfo"]?.objectValue?["phoneNumber"]?.stringValue ?? ""
        guard number.wholeMatch(of: #/\+\d+/#) != nil else { throw TestFailure("INVALID_PHONE_NUMBER : Invalid format.") }
        guard !member.factors.contains(where: { $0.kind == .phone(number) }) else {
            throw TestFailure("SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this account.")
        }
        return ["phoneSessionInfo": ["sessionInfo": session(.phone(number))]]
    }

    /// A telephone gets a code.
    private func session(_ kind: Factor.Kind) -> JSON {
        let session = JSON.string(newID("s"))
        if case .phone = kind { sentCode = "\(100_000 + made)" }
        sessions[session] = (kind, .string(sentCode))
        return session
    }

    private func waiting(_ body: JSONObject) throws -> (SignIn, Factor) {
        guard let signIn = signIns[body["mfaPendingCredential"] ?? .null] else { throw TestFailure("INVALID_MFA_PENDING_CREDENTIAL") }
        let factor = members[signIn.uid]?.factors.first { $0.id == body["mfaEnrollmentId"]?.stringValue }
        guard let factor else { throw TestFailure("MFA_ENROLLMENT_NOT_FOUND") }
        return (signIn, factor)
    }

    private func check(_ body: JSONObject, _ kind: Factor.Kind) throws {
        let (typed, sent) = (body["totpVerificationInfo"]?.objectValue, body["phoneVerificationInfo"]?.objectValue)
        let isRight: Bool
        switch kind {
        case .any: isRight = true
        case .authenticator: isRight = typed?["verificationCode"] == .string(authenticatorCode)
        case .phone: isRight = sessions[sent?["sessionInfo"] ?? .null].map { $0.kind == kind && $0.code == sent?["code"] } ?? false
        }
        guard isRight else { throw TestFailure("INVALID_CODE") }
    }
}
