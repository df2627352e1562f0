import LoopbackHTTP
import Testing

@testable import TestHTTPClient

@Suite("Hostile requests")
struct HostileRequestTests {
    @Test("the table is there")
    func table() { #expect(HostileCase.all.count > 80) }

    @Test("are answered as the table says, touch nothing, repeat nothing, and leave a pending sign-in alone", arguments: HostileCase.all)
    func answer(hostile: HostileCase) throws {
        let server = try TestCallbackServer { limits in
            limits.headerTime = .seconds(1)
            limits.bodyTime = .seconds(1)
        }
        let client = try RawClient(server.address)
        client.asksForHeads = hostile.name == "method-head"
        _ = client.trySend(hostile.bytes(port: server.port))
        // Time runs out only for a client that might still go on.
        if !hostile.statuses.contains(408) { client.endSending() }
        let responses = try client.responses()
        #expect(responses.map(\.status) == hostile.statuses)
        #expect(server.delegate.callbacks.isEmpty == !hostile.reachesDelegate)
        for response in responses {
            let isDocument = response.status == 200 && response.header("Content-Type") == "application/json"
            expectSecurityHeaders(response, cacheControl: isDocument ? "public, max-age=300" : "no-store")
            #expect(!response.body.contains("REFLECT"))
            #expect(!response.headers.contains { $0.value.contains("REFLECT") })
        }

        let real = try server.get("/__/auth/handler?state=\(RecordingDelegate.knownState)&code=c")
        #expect(real.status == 303)
    }
}
