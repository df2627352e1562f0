import HTTPSClient
import NIOCore
import NIOPosix
import PosternCore

/// What became of a request, in a form that a table can hold.
enum Outcome: Equatable, CustomStringConvertible {
    case answer(Int, String)
    case failure(HTTPSClientError.Kind, mayHaveReachedServer: Bool)
    case otherError(String)

    var description: String {
        switch self {
        case .answer(let status, let body): "\(status) \(body.prefix(80))"
        case .failure(let kind, let reached): "\(kind), \(reached ? "may have" : "has not") reached the server"
        case .otherError(let text): text
        }
    }
}

extension HTTPSClient {
    /// On a loop that all tests share, and without a proxy unless the environment names one.
    static func make(
        environment: [String: String] = [:], _ change: (inout HTTPSClientConfiguration) -> Void = { _ in }
    ) -> HTTPSClient {
        var configuration = HTTPSClientConfiguration(environment: environment, userAgent: "Postern/test")
        change(&configuration)
        return HTTPSClient(eventLoop: MultiThreadedEventLoopGroup.singleton.next(), configuration: configuration)
    }

    func outcome(_ request: ProviderRequest, caFile: String? = nil, maximumBodyBytes: Int? = nil) async -> Outcome {
        switch await result(request, caFile: caFile, maximumBodyBytes: maximumBodyBytes) {
        case .success(let response): .answer(response.status, String(decoding: response.body, as: UTF8.self))
        case .failure(let error as HTTPSClientError): .failure(error.kind, mayHaveReachedServer: error.mayHaveReachedServer)
        case .failure(let error): .otherError("\(error)")
        }
    }

    func error(_ request: ProviderRequest, caFile: String? = nil) async -> HTTPSClientError? {
        guard case .failure(let error) = await result(request, caFile: caFile, maximumBodyBytes: nil) else { return nil }
        return error as? HTTPSClientError
    }

    private func result(
        _ request: ProviderRequest, caFile: String?, maximumBodyBytes: Int?
    ) async -> Result<ProviderResponse, any Error> {
        do {
            return .success(try await send(request, caFile: caFile, maximumBodyBytes: maximumBodyBytes).get())
        } catch {
            return .failure(error)
        }
    }
}
