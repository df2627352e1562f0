import PosternCore
import Testing

@testable import DemoProvider

@Suite("Lifetimes and limits")
struct LifetimeTests {
    static let start = Timestamp(seconds: 1_800_000_000)

    static func issueCode(at server: inout AuthorizationServer, now: Timestamp) throws -> String {
        let parameters = try #require(FormParameters(Array(form(DemoBrowser.request()).utf8)))
        let question = try server.ask(try AuthorizationRequest(parameters, at: server), now: now)
        let target = try #require(try server.decide(question.requestID, .person(Person.all[0]), now: now))
        return String(try #require(target.split(separator: "code=").last).prefix { $0 != "&" })
    }

    static func redeem(_ code: String, at server: inout AuthorizationServer, now: Timestamp) throws -> String {
        let pairs = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", DemoBrowser.redirectURI),
            ("code_verifier", DemoBrowser.verifier), ("client_id", "postern-demo"),
        ]
        return try server.token(authorization: nil, parameters: try #require(FormParameters(Array(form(pairs).utf8))), now: now).text("access_token")
    }

    @Test("A code is good for a minute", arguments: [(0, true), (59, true), (60, false), (3600, false)] as [(Int64, Bool)])
    func codes(seconds: Int64, isGood: Bool) throws {
        var server = AuthorizationServer(options: DemoProviderOptions(), issuer: "http://127.0.0.1:1", keys: try KeyRing())
        let code = try Self.issueCode(at: &server, now: Self.start)
        let later = Self.start.adding(seconds: seconds)
        if isGood {
            #expect(throws: Never.self) { try Self.redeem(code, at: &server, now: later) }
        } else {
            #expect(throws: OAuthError.self) { try Self.redeem(code, at: &server, now: later) }
        }
    }

    @Test("An access token is valid for as long as was asked for")
    func accessTokens() throws {
        var options = DemoProviderOptions()
        options.accessTokenSeconds = 5
        var server = AuthorizationServer(options: options, issuer: "http://127.0.0.1:1", keys: try KeyRing())
        let token = try Self.redeem(try Self.issueCode(at: &server, now: Self.start), at: &server, now: Self.start)
        #expect(throws: Never.self) { try server.userinfo(authorization: "Bearer \(token)", now: Self.start.adding(seconds: 4)) }
        #expect(throws: OAuthError.self) { try server.userinfo(authorization: "Bearer \(token)", now: Self.start.adding(seconds: 5)) }
    }

    @Test("A page waits ten minutes")
    func pages() throws {
        var server = AuthorizationServer(options: DemoProviderOptions(), issuer: "http://127.0.0.1:1", keys: try KeyRing())
        let request = try AuthorizationRequest(try #require(FormParameters(Array(form(DemoBrowser.request()).utf8))), at: server)
        let question = try server.ask(request, now: Self.start)
        #expect(try server.decide(question.requestID, .denied, now: Self.start.adding(seconds: 600)) == nil)
    }

    @Test("No table grows without end")
    func bounded() throws {
        var server = AuthorizationServer(options: DemoProviderOptions(), issuer: "http://127.0.0.1:1", keys: try KeyRing())
        let request = try AuthorizationRequest(try #require(FormParameters(Array(form(DemoBrowser.request()).utf8))), at: server)
        for _ in 0..<1000 { _ = try server.ask(request, now: Self.start) }
        #expect(server.pending.count == server.pending.capacity)
    }

    @Test("A full table drops its oldest entry, and an expired one before it")
    func table() {
        var table = ExpiringTable<Int>(capacity: 2, seconds: 10)
        table.insert(1, under: "a", now: Self.start)
        table.insert(2, under: "b", now: Self.start.adding(seconds: 5))
        table.insert(3, under: "c", now: Self.start.adding(seconds: 6))
        #expect(table.value("a", now: Self.start.adding(seconds: 6)) == nil)
        #expect(table.value("b", now: Self.start.adding(seconds: 14)) == 2)
        #expect(table.value("b", now: Self.start.adding(seconds: 15)) == nil)
        table.insert(4, under: "d", now: Self.start.adding(seconds: 15))
        #expect(table.value("c", now: Self.start.adding(seconds: 15)) == 3)
        #expect(table.count == 2)
    }

    @Test("A key that is removed and comes again counts from its last time")
    func reinserted() {
        var table = ExpiringTable<Int>(capacity: 2, seconds: 10)
        for round in 0..<1000 {
            table.insert(round, under: "a", now: Self.start)
            table.remove("a", now: Self.start)
        }
        table.insert(0, under: "a", now: Self.start)
        table.insert(1, under: "b", now: Self.start)
        #expect(table.value("a", now: Self.start) == 0)
        #expect(table.value("b", now: Self.start) == 1)
        #expect(table.count == 2)
    }
}
