import HTTPSClient
import PosternApplication
import PosternConfiguration
import PosternCore

/// Requests to providers, over HTTPS.
@DaemonActor
final class HTTPSTransport: ProviderTransport {
    private let configuration: HTTPSClientConfiguration
    private var client: HTTPSClient?
    let proxies: ProxyVariables

    /// - Parameter environment: the daemon's.
    init(environment: [String: String], userAgent: String) {
        configuration = HTTPSClientConfiguration(environment: environment, userAgent: userAgent)
        proxies = ProxyVariables(environment: environment)
    }

    var problem: String? { configuration.proxyProblem.map { "requests to providers are not sent: \($0)" } }

    var usesProxy: Bool { configuration.usesProxy }

    func send(
        _ request: ProviderRequest, caFile: String?, maximumBodyBytes: Int?
    ) async throws(TransportFailure) -> ProviderResponse {
        try await ready().send(request, caFile: caFile, maximumBodyBytes: maximumBodyBytes).value { error in
            TransportFailure("\(error)", mayHaveReachedServer: HTTPSClientError.mayHaveReachedServer(error))
        }
    }

    func authorities(in caFile: String) async throws(TransportFailure) -> String {
        let noThread = { @Sendable (error: NoThread) in
            TransportFailure("the certificates in '\(caFile)' were not read: \(error)", mayHaveReachedServer: false)
        }
        return try await BlockingWork.run(orThrow: noThread) { () throws(TransportFailure) in
            do throws(CertificateBundleError) { return try CertificateBundle(file: caFile).text } catch {
                throw TransportFailure("\(error)", mayHaveReachedServer: false)
            }
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
