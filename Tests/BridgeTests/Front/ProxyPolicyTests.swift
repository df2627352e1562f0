import BridgeCore
import LoopbackHTTP
import NIOCore
import NIOEmbedded
import StrictJSON
import Testing

@testable import Bridge

@Suite("The proxy of a command")
struct ProxyPolicyTests {
    private static let secret = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    private static func settings(
        secret: String = secret, dummy: String = "postern-proxy-x", routes: Int = 1, replacing: (String, String) = ("", "")
    ) -> [UInt8] {
        let route = #"{"name":"ACME","account":"acme","urls":["https://api.example.com"],"secret":"\#(secret)"}"#
        let list = Array(repeating: route, count: routes).joined(separator: ",")
        let text = #"{"socket":"/s","directory":"/d","dummy":"\#(dummy)","port":true,"methods":["GET"],"routes":[\#(list)]}"#
        return Array((replacing.0.isEmpty ? text : text.replacing(replacing.0, with: replacing.1)).utf8)
    }

    /// The policy decides at once.
    private static func passage(_ verdict: EventLoopFuture<FrontVerdict>) -> (any FrontPassage)? {
        var passage: (any FrontPassage)?
        verdict.assumeIsolated().whenSuccess { if case .admitted(let admitted) = $0 { passage = admitted } }
        return passage
    }

    @Test("its settings are read, and without every secret it does not begin")
    func settings() throws {
        let read = try ProxySettings(Self.settings())
        #expect(read.routes.map(\.account) == ["acme"] && read.methods == ["GET"] && read.hasPort)
        for wrong in [
            Self.settings(secret: ""), Self.settings(secret: "AAAA"), Self.settings(secret: Self.secret + "A"), Self.settings(dummy: ""), Self.settings(routes: 0),
            Self.settings(replacing: ("\"port\":true,", "")), Self.settings(replacing: ("\"socket\":\"/s\"", "\"socket\":1")), Array("[]".utf8), Array("{".utf8), [],
        ] {
            let error = #expect(throws: ProxyServiceError.self) { try ProxySettings(wrong) }
            #expect(error.map { !"\($0)".contains(Self.secret) } == true)
        }
    }

    @Test(
        "a needed sign-in is 403 and reported once until it works, a server failure is 502",
        arguments: [(BridgeFailure.Kind.personNeeded, 403, true), (.daemon, 502, true), (.unreachable, 502, false), (.interrupted, 502, false)])
    func failures(kind: BridgeFailure.Kind, status: Int, isTold: Bool) throws {
        let loop = EmbeddedEventLoop()
        var told: [String] = []
        let rules = ProxyRules(routes: [try ProxyRoute(account: "acme", urls: ["https://api.example.com"])], dummy: "postern-proxy-x")
        let policy = ProxyPolicy(rules, notice: ProxyNotice { told.append($0) }, eventLoop: loop)
        let passage = try #require(Self.passage(policy.admit(RequestHead(method: "GET", target: "/a"))))
        for _ in 0..<2 { #expect(passage.answer(to: BridgeFailure(kind, "run `postern sign-in acme`"), body: []).status == status) }
        #expect(told.count == (isTold ? 1 : 0))
        _ = passage.answer(to: BridgeAnswer(status: 200), body: [])
        _ = passage.answer(to: BridgeFailure(kind, "run `postern sign-in acme`"), body: [])
        #expect(told.count == (isTold ? 2 : 0))
    }

    @Test(
        "a body is kept for a second try if it is small, and passed on as it comes if not",
        arguments: [(RequestHead.Body.none, false), (.length(0), true), (.length(65536), true), (.length(65537), false), (.chunked, false)])
    func bodies(body: RequestHead.Body, isKept: Bool) throws {
        let rules = ProxyRules(routes: [try ProxyRoute(account: "acme", urls: ["https://api.example.com"])], dummy: "postern-proxy-x")
        let policy = ProxyPolicy(rules, notice: ProxyNotice { _ in }, eventLoop: EmbeddedEventLoop())
        let passage = try #require(Self.passage(policy.admit(RequestHead(method: "POST", target: "/a", body: body))))
        #expect((passage.collectsBody != nil) == isKept)
    }
}
