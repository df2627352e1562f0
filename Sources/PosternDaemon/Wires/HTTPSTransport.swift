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
        do { return try await client.send(request, caFile: caFile, maximumBodyBytes: maximumBodyBytes).result() } catch {
            // The client throws nothing else; what is not known may have arrived.
            let mayHaveReachedServer = (error as? HTTPSClientError)?.mayHaveReachedServer ?? true
            throw TransportFailure("\(error)", mayHaveReachedServer: mayHaveReachedServer)
        }
    }
}
