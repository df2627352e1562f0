import PosternCore

/// The client document, where issuers take its URL as a client ID (draft-ietf-oauth-client-id-metadata-document).
extension ProviderDirectory {
    enum DocumentUse: Sendable {
        /// None is configured, or the issuer does not take any.
        case none
        case usable(String)
        /// With the URL, and why: a sentence that continues after it.
        case flawed(String, String)

        var usable: String? { if case .usable(let url) = self { url } else { nil } }
    }

    /// Whether the document is the client for a sign-in that begins now. It is read first: an issuer that refuses it shows the user a page, and
    /// sends nobody back.
    ///
    /// - Parameter redirectURI: the sign-in's; an issuer accepts only those that the document lists.
    func clientDocument(for provider: Provider, redirectURI: String) async throws(ProviderFailure) -> DocumentUse {
        guard let text = ground.settings.configuration.registration.clientDocument, provider.server?.prefersRegistration != true,
            provider.issuer != nil, let metadata = try await metadata(of: provider), metadata.takesClientDocuments,
            metadata.clientAuthenticationMethods?.contains(ClientAuthentication.none.rawValue) == true
        else { return .none }
        do throws(ClientDocumentError) {
            let url = try ClientDocument.url(text)
            let response: ProviderResponse
            do throws(ProviderFailure) { response = try await send(ClientDocument.request(for: url)) } catch {
                return .flawed(text, "could not be read: \(error.message)")
            }
            try ClientDocument.check(response, of: url, redirectURI: redirectURI, now: platform.now)
            return .usable(text)
        } catch {
            return .flawed(text, "\(error)")
        }
    }

    /// The document is the configuration's own, and no provider's.
    private func send(_ request: ProviderRequest) async throws(ProviderFailure) -> ProviderResponse {
        try await send(request, to: Provider(id: "", displayName: "the client document", kind: .oauth2))
    }
}
