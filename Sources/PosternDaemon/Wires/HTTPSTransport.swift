import HTTPSClient
import PosternApplication
import PosternCore

/// Requests to providers, over HTTPS.
@DaemonActor
final class HTTPSTransport: ProviderTransport {
    private let client: HTTPSClient

    init(_ client: HTTPSClient) { self.client = client }

    func send(
        _ request: ProviderRequest, caFile: String?, maximumBodyBytes: Int?
    ) async throws(TransportFailure) -> ProviderResponse {
        try await client.send(request, caFile: caFile, maximumBodyBytes: maximumBodyBytes).value { error in
            TransportFailure("\(error)", mayHaveReachedServer: HTTPSClientError.mayHaveReachedServer(error))
        }
    }
}
