import PosternCore
import Testing

@Suite("What an answer to an invalid code tells")
struct ClientVerdictTests {
    private static func failed(_ error: String?) -> ProviderFailure {
        .exchangeFailed(error: error, description: nil, message: "it said no")
    }

    @Test(
        "A provider that refuses the code alone takes the client",
        arguments: [
            (failed("invalid_grant"), ClientVerdict.taken(error: "invalid_grant")),
            (failed("bad_verification_code"), .taken(error: "bad_verification_code")),
            (failed("invalid_client"), .refused(reason: "it said no")),
            (failed("incorrect_client_credentials"), .refused(reason: "it said no")),
            (failed("server_error"), .unknown(reason: "it said no")),
            (failed(nil), .unknown(reason: "it said no")),
            (.unreachable(message: "it is down"), .unknown(reason: "it is down")),
        ] as [(ProviderFailure, ClientVerdict)])
    func verdict(failure: ProviderFailure, expected: ClientVerdict) {
        #expect(ClientVerdict(failure) == expected)
    }
}
