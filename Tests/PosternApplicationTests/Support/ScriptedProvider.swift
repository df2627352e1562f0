import PosternApplication
import PosternCore

/// A provider whose answers come when the test says so.
@DaemonActor
final class ScriptedProvider: ProviderTransport {
    typealias Answer = Result<ProviderResponse, TransportFailure>

    /// A request that waits for its answer.
    struct Request {
        var request: ProviderRequest
        fileprivate let continuation: CheckedContinuation<Answer, Never>

        var path: String { request.url.split(separator: "/", maxSplits: 2).last.map { "/" + ($0.split(separator: "/", maxSplits: 1).last ?? "") } ?? "" }
        /// The form's members, percent-encoded as they were sent.
        var form: [String: String] {
            var members: [String: String] = [:]
            for pair in String(decoding: request.body, as: UTF8.self).split(separator: "&") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                members[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
            }
            return members
        }
    }

    /// Sent, and not answered yet; oldest first.
    private(set) var waiting: [Request] = []
    /// All that was ever sent.
    private(set) var sent: [ProviderRequest] = []
    /// Answers at once where it returns one.
    var automatic: @DaemonActor (ProviderRequest) -> Answer? = { _ in nil }

    /// As if a proxy looked the names up.
    var usesProxy = false
    var proxies = ProxyVariables()
    /// The files of certificates, by their paths.
    var certificates: [String: String] = [:]

    nonisolated init() {}

    func authorities(in caFile: String) async throws(TransportFailure) -> String {
        guard let text = certificates[caFile] else { throw TransportFailure("'\(caFile)' does not exist", mayHaveReachedServer: false) }
        return text
    }

    func send(
        _ request: ProviderRequest, caFile: String?, maximumBodyBytes: Int?
    ) async throws(TransportFailure) -> ProviderResponse {
        sent.append(request)
        if let answer = automatic(request) { return try answer.get() }
        return try await withCheckedContinuation { continuation in
            waiting.append(Request(request: request, continuation: continuation))
        }.get()
    }

    /// Answers the oldest request that waits, or one that came after so many others.
    func answer(_ answer: Answer, after others: Int = 0) {
        guard waiting.indices.contains(others) else { return }
        waiting.remove(at: others).continuation.resume(returning: answer)
    }

    func answer(status: Int = 200, json: String) {
        answer(.success(ProviderResponse(status: status, headers: [("Content-Type", "application/json")], body: Array(json.utf8))))
    }

    func fail(mayHaveReachedServer: Bool) {
        answer(.failure(TransportFailure("the connection was lost", mayHaveReachedServer: mayHaveReachedServer)))
    }
}
