@testable import PosternCore

/// The hosts of a test: what each URL answers, every other one with 404. It notes what it was asked.
struct AnsweringHosts {
    var answers: [String: ProviderResponse]
    private(set) var requests: [ProviderRequest] = []

    init(_ answers: [String: ProviderResponse]) { self.answers = answers }

    init(_ documents: [String: String]) { answers = documents.mapValues { .json($0) } }

    var urls: [String] { requests.map(\.url) }

    mutating func discover(_ url: String, challenge: [String]? = nil) throws -> Result<ResourceServer, ResourceError> {
        var discovery = ResourceDiscovery(url: try EndpointURL(url), challenge: challenge)
        var step = discovery.first
        while true {
            switch step {
            case .ask(let request): step = discovery.answered(answer(to: request), now: now)
            case .found(let server): return .success(server)
            case .failed(let error): return .failure(error)
            }
        }
    }

    mutating func discover(_ begun: IssuerDiscovery) -> Result<ProviderMetadata, ResourceError> {
        var discovery = begun
        var step = IssuerDiscovery.Step.ask(discovery.firstRequest)
        while true {
            switch step {
            case .ask(let request): step = discovery.answered(answer(to: request), now: now)
            case .found(let metadata): return .success(metadata)
            case .failed(let error): return .failure(error)
            }
        }
    }

    mutating func answer(to request: ProviderRequest) -> ProviderResponse {
        requests.append(request)
        return answers[request.url] ?? ProviderResponse(status: 404)
    }
}

extension ProviderResponse {
    static func challenge(_ field: String, status: Int = 401) -> ProviderResponse {
        ProviderResponse(status: status, headers: [("www-authenticate", field)])
    }

    static func redirect(_ location: String, status: Int = 302) -> ProviderResponse {
        ProviderResponse(status: status, headers: [("Location", location)])
    }
}

extension Result {
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
