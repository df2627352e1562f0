import Testing

@testable import PosternCore

@Suite("Clients of other programs")
struct ImportedClientTests {
    private func provider(_ id: String = "files") -> Provider {
        var provider = Provider(id: id, displayName: id, kind: .oauth2)
        provider.issuer = "https://op.example"
        return provider
    }

    private func client(_ clientID: String, secret: String? = nil, of id: String = "files", redirectURI: String = "") -> RegisteredClient {
        RegisteredClient(
            providerID: id, registrar: "https://op.example", redirectURI: redirectURI, scopes: [], clientID: clientID,
            clientSecret: secret.map { Secret($0) }, authentication: secret == nil ? .none : .clientSecretPost, secretExpiresAt: nil)
    }

    private func names(_ known: ClientRegistrations) -> [String] { known.all.map(\.clientID) }

    @Test(
        "One authenticates as the server lets clients with a secret do, and without one as a public client whatever it says",
        arguments: [
            (nil, nil, ClientAuthentication.none), (nil, ["client_secret_basic"], .none), ("s", nil, .clientSecretBasic),
            ("s", ["none", "client_secret_post"], .clientSecretPost), ("s", ["client_secret_post", "client_secret_basic"], .clientSecretBasic),
        ] as [(String?, [String]?, ClientAuthentication)])
    func authentication(secret: String?, methods: [String]?, expected: ClientAuthentication) throws {
        let client = try ImportedClient.client("c", secret: secret.map { Secret($0) }, scopes: [], of: provider(), methods: methods)
        #expect(client.authentication == expected && client.registrar == "https://op.example")
    }

    @Test("One that cannot authenticate there, or has what no header may have, is refused")
    func refused() {
        #expect(throws: ImportedClient.Refusal.noAuthentication(offered: ["none", "private_key_jwt"])) {
            try ImportedClient.client("c", secret: Secret("s"), scopes: [], of: provider(), methods: ["none", "private_key_jwt"])
        }
        for text in ["", "a\r\nb", String(repeating: "c", count: 1025)] {
            #expect(throws: ImportedClient.Refusal.invalidText(member: "clientID")) {
                try ImportedClient.client(text, secret: nil, scopes: [], of: provider(), methods: nil)
            }
        }
        #expect(throws: ImportedClient.Refusal.invalidText(member: "clientSecret")) {
            try ImportedClient.client("c", secret: Secret("a\nb"), scopes: [], of: provider(), methods: nil)
        }
    }

    @Test("No sign-in begins with one")
    func noSignIn() throws {
        var known = ClientRegistrations()
        try known.keep(imported: client("theirs")) { _ in false }
        let redirectURI = "http://127.0.0.1:7678/__/auth/handler"
        #expect(known.client(for: provider(), redirectURI: redirectURI, now: Timestamp(seconds: 0)) == nil)
        #expect(known.client(of: provider(), boundTo: provider().speaking(as: client("theirs")).binding) == client("theirs"))
    }

    @Test("The same one is kept once; with another secret it is refused, unless nothing uses it and another program brought it")
    func sameID() throws {
        let ours = client("ours", secret: "s1", redirectURI: "http://127.0.0.1/a")
        var known = ClientRegistrations([ours, client("theirs", secret: "s1")])
        #expect(try known.keep(imported: client("ours", secret: "s1")) { _ in false } == ours, "as it is known")
        for (clientID, isUsed) in [("ours", false), ("ours", true), ("theirs", true)] {
            #expect(throws: ImportedClient.Refusal.otherSecret) {
                try known.keep(imported: client(clientID, secret: "s2")) { _ in isUsed }
            }
        }
        try known.keep(imported: client("theirs", secret: "s2")) { _ in false }
        #expect(known.all == [ours, client("theirs", secret: "s2")])
    }

    @Test("What a credential uses, and the newest of ours, make no room")
    func room() throws {
        let ours = ["a", "b"].map { client($0, redirectURI: "http://127.0.0.1/a") }
        var known = ClientRegistrations(ours + [client("c"), client("d")])
        try known.keep(imported: client("e")) { $0.clientID == "a" }
        #expect(names(known) == ["a", "b", "d", "e"], "c was the oldest that nothing uses, b may be in a sign-in")
        #expect(throws: ImportedClient.Refusal.noRoom) {
            try known.keep(imported: client("f")) { ["a", "d", "e"].contains($0.clientID) }
        }
        #expect(names(known) == ["a", "b", "d", "e"])
        // Those of other servers do not count, until there are too many of all.
        let others = (0..<64).map { client("x\($0)", of: "server\($0)") }
        var full = ClientRegistrations(others)
        try full.keep(imported: client("new")) { $0.clientID == "x0" }
        #expect(full.all.count == 64 && full.all.first?.clientID == "x0" && !names(full).contains("x1") && names(full).contains("new"))
    }
}
