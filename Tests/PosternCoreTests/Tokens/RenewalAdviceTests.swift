import StrictJSON
import Testing

@testable import PosternCore

@Suite("What would bring a refresh token")
struct RenewalAdviceTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var provider: Provider = .openID()
        /// Whether the metadata list `offline_access`; nil if they are not known.
        var isListed: Bool?
        var granted = ["openid", "email"]
        var refreshToken: String?
        var expiresIn: Int64? = 3600
        var account: NamedAccount?
        var advice: String?
    }

    private static func changed(_ change: (inout Provider) -> Void) -> Provider {
        var provider = Provider.openID()
        change(&provider)
        return provider
    }

    private static let mail: NamedAccount = {
        var account = NamedAccount(name: "mail", providerID: "work")
        account.scopes = ["openid", "mail"]
        return account
    }()

    @Test(
        "It names the one way out",
        arguments: [
            Case(testDescription: "there is one", refreshToken: "rt"),
            Case(testDescription: "a token without an end", expiresIn: nil),
            Case(
                testDescription: "not listed", isListed: false,
                advice: "its metadata do not list offline_access: ask its administrators whether this client can get refresh tokens"),
            Case(
                testDescription: "listed, not granted", isListed: true,
                advice: "sign in without --scope, or allow offline_access for the client at Work"),
            Case(testDescription: "nothing known", advice: "whether it gives one is a setting of the client at Work"),
            Case(
                testDescription: "granted without one", isListed: true, granted: ["openid", "offline_access"],
                advice: "allow refresh tokens for the client at Work"),
            Case(
                testDescription: "granted, and a prompt of the configuration", provider: changed { $0.parameters = ["prompt": "login"] }, isListed: true,
                granted: ["openid", "offline_access"],
                advice:
                    "it may want your consent, which the configured prompt (login) does not ask for: postern sign-in work --param 'prompt=login consent'"
            ),
            Case(
                testDescription: "scopes of the configuration",
                provider: changed { $0.hasChosenScopes = true }, isListed: true,
                advice: #"to ask for one: postern config set provider.work.scopes '["openid", "email", "offline_access"]', then postern sign-in work"#),
            Case(
                testDescription: "scopes of the account", isListed: true, account: mail,
                advice: #"to ask for one: postern config set account.mail.scopes '["openid", "mail", "offline_access"]', then postern sign-in work"#),
            Case(
                testDescription: "plain OAuth", provider: .oauth2(), advice: "whether it gives one is a setting of the client at Legacy"),
            Case(
                testDescription: "Google", provider: Google.provider,
                advice: "it gives one when it asks for your consent: postern sign-in work --param prompt=consent"),
            Case(testDescription: "Facebook, whose tokens renew themselves", provider: Facebook.provider),
        ])
    func wayOut(_ example: Case) throws {
        var grant = Grant.sample(refreshToken: example.refreshToken)
        grant.scopes = example.granted
        grant.expiresAt = example.expiresIn.map { now.adding(seconds: $0) }
        let metadata = try example.isListed.map { isListed in
            let document: JSONObject = ["issuer": "https://op.example", "scopes_supported": isListed ? ["offline_access"] : ["openid"]]
            return try ProviderMetadata(parsing: document.serialized, expectedIssuer: "https://op.example")
        }
        #expect(
            RenewalAdvice.text(for: grant, at: example.provider, metadata: metadata, as: example.account, signIn: "work") == example.advice)
    }
}
