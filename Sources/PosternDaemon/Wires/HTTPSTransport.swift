import HTTPSClient
import PosternApplication
import PosternCore

/// Requests to providers, over HTTPS.
@DaemonActor
final class HTTPSTransport: ProviderTransport {
    private let configuration: HTTPSClientConfiguration
    private var client: HTTPSClient?

    init(_ configuration: HTTPSClientConfiguration) { self.configuration = configuration }

    var problem: String? { configuration.proxyProblem.map { "requests to providers are not sent: \($0)" } }

    var usesProxy: Bool { configuration.usesProxy }

    func send(
        _ request: ProviderRequest, caFile: String?, maximumBodyBytes: Int?
    ) async throws(TransportFailure) -> ProviderResponse {
        try await ready().send(request, caFile: caFile, maximumBodyBytes: maximumBodyBytes).value { error in
            TransportFailure("\(error)", mayHaveReachedServer: HTTPSClientError.mayHaveReachedServer(error))
        }
    }

    private func ready() throws(TransportFailure) -> HTTPSClient {
        if let client { return client }
        do throws(NoHTTP) {
            let client = HTTPSClient(eventLoop: try HTTPThread.eventLoop(), configuration: configuration)
            self.client = client
            return client
        } catch {
            throw TransportFailure("\(error)", mayHaveReachedServer: false)
        }
    }
}
