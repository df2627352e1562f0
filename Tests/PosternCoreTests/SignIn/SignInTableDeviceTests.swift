import Testing

@testable import PosternCore

@Suite("A code beside a page")
struct SignInTableDeviceTests {
    private static let device = DeviceAuthorization(
        deviceCode: Secret("d-1"), userCode: "A", verificationURI: "https://as.example/go", expiresAt: now.adding(seconds: 900))

    private static func table(device: DeviceAuthorization? = device, states: [[UInt8]] = [[1]]) -> SignInTable {
        var table = SignInTable()
        table.began(
            SignInSession(
                id: "s", question: SignInQuestion(providerID: "p", intent: .signIn, app: "a", scopes: []),
                binding: ProviderBinding(clientID: "c", authority: "x"), requester: "r", startedAt: now,
                expiresAt: now.adding(seconds: 600), stateHashes: states, codeVerifier: Secret("v"), nonce: Secret("n"),
                redirectURI: "http://127.0.0.1:1/h", pageID: "page",
                device: device))
        return table
    }

    @Test("tokens for the code take the sign-in, once, and no callback takes it after that")
    func granted() {
        var table = Self.table()
        let waited = table.deviceGranted("s", deviceCode: Secret("d-1"))
        #expect(waited?.device == Self.device && waited?.phase == .authorizationPending)
        #expect(table["s"]?.phase == .exchanging && table["s"]?.device == nil)
        #expect(table.deviceGranted("s", deviceCode: Secret("d-1")) == nil)
        #expect(table.callbackArrived(stateHash: [1], path: "/h", digest: [9], now: now) == .repeated(pageID: "page"))
    }

    @Test("tokens for a code that is not the sign-in's, or comes after a callback, are nobody's")
    func late() {
        var table = Self.table()
        #expect(table.deviceGranted("s", deviceCode: Secret("d-2")) == nil)
        #expect(table.deviceGranted("other", deviceCode: Secret("d-1")) == nil)
        #expect(table["s"]?.phase == .authorizationPending)
        guard case .take = table.callbackArrived(stateHash: [1], path: "/h", digest: [9], now: now) else {
            Issue.record("not taken")
            return
        }
        #expect(table.deviceGranted("s", deviceCode: Secret("d-1")) == nil)
    }

    @Test("a sign-in that ended gets no code any more")
    func ended() {
        var table = Self.table(device: nil)
        table.deviceChanged(Self.device, of: "s")
        #expect(table["s"]?.device == Self.device)
        table.deviceChanged(nil, of: "s")
        _ = table.finished("s", outcome: .failed(.cancelled), now: now)
        table.deviceChanged(Self.device, of: "s")
        #expect(table["s"]?.device == nil)
    }

    @Test("the same question joins whichever way it waits")
    func joins() {
        let table = Self.table(states: [])
        #expect(table["s"]?.hasPage == false)
        #expect(
            table.opening(for: SignInQuestion(providerID: "p", intent: .signIn, app: "a", scopes: []), now: now) == .join(sessionID: "s"))
    }
}
