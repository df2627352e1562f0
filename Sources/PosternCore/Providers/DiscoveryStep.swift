/// What follows from an answer, in the search for a document.
public enum DiscoveryStep<Found: Sendable, Failure: DiscoveryFailure>: Sendable {
    case ask(ProviderRequest)
    case found(Found)
    case failed(Failure)
}

/// Why a document is rejected, or cannot be had.
public protocol DiscoveryFailure: Error, Sendable {
    /// - Parameter name: the provider's or the server's, for the sentence.
    func providerFailure(at name: String) -> ProviderFailure
}
