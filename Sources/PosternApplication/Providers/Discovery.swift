import PosternCore

/// Sends a request for a document.
typealias SendDocumentRequest = @DaemonActor (ProviderRequest) async throws(ProviderFailure) -> ProviderResponse

extension DiscoveryStep {
    /// Asks until the document is found.
    ///
    /// - Parameter answered: what follows from an answer.
    /// - Returns: what was found, and the answer that it was in.
    @DaemonActor
    static func found(
        from first: ProviderRequest, at name: String, by send: SendDocumentRequest, _ answered: (ProviderResponse) -> Self
    ) async throws(ProviderFailure) -> (Found, ProviderResponse) {
        var request = first
        while true {
            let response = try await send(request)
            switch answered(response) {
            case .ask(let next): request = next
            case .found(let found): return (found, response)
            case .failed(let failure): throw failure.providerFailure(at: name)
            }
        }
    }
}
