import PosternCore

extension Fuzz {
    /// Answers of token endpoints: GitHub takes JSON and forms, so both ways are open.
    static func tokenAnswer(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        guard var configured = Catalogue.provider("github.com") else { fatalError("the catalogue must have GitHub") }
        configured.clientID = "client"
        configured.clientSecret = Secret("secret")
        guard let provider = try? ResolvedProvider(configured) else { fatalError("the catalogue's entry must resolve") }
        let status = [200, 400, 401, 500][Int(first & 3)]
        let type = first & 4 == 0 ? "application/json" : "application/x-www-form-urlencoded"
        let answer = ProviderResponse(status: status, headers: [("Content-Type", type)], body: Array(bytes.dropFirst()))
        let now = Timestamp(seconds: 1_800_000_000)
        _ = try? TokenResponse.grant(from: answer, to: .exchange, at: provider, scopes: ["user"], sentAt: now, now: now)
    }
}
