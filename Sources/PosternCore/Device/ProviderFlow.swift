/// How a person comes to the provider; the words are the interface's and the configuration's.
public enum ProviderFlow: String, Sendable, CaseIterable {
    /// A redirect in a browser brings the answer back.
    case browser
    /// A code typed on any device (RFC 8628).
    case device
}

extension Provider {
    /// False for a provider that wants a client secret in a browser, and was configured without one.
    public var hasBrowserFlow: Bool {
        !(dialect.needsClientSecret && clientAuthentication == ClientAuthentication.none && clientSecret == nil)
    }

    /// Whether a code for another device can be had, as far as that is known: nil where only its metadata tell.
    ///
    /// - Parameter metadata: nil where they have not been read.
    public func hasDeviceFlow(metadata: ProviderMetadata? = nil) -> Bool? {
        if endpoints.deviceAuthorization != nil { return true }
        if !dialect.mayHaveDeviceFlow { return false }
        if let metadata { return metadata.deviceAuthorization != nil }
        return issuer == nil || kind == .oauth1 ? false : nil
    }
}
