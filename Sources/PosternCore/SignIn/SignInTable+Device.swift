/// A sign-in may wait for a browser, for a code typed on another device, or for whichever comes first.
extension SignInTable {
    /// A code waits for its person; or none does any more.
    public mutating func deviceChanged(_ device: DeviceAuthorization?, of id: String) {
        guard entries[id]?.session.phase == .authorizationPending else { return }
        entries[id]?.session.device = device
    }

    /// The provider gave tokens for the code. What else could have ended the sign-in comes too late from here on.
    ///
    /// - Returns: the session as it waited; nil where it waits no more, and the tokens are nobody's.
    public mutating func deviceGranted(_ id: String, deviceCode: Secret) -> SignInSession? {
        guard let session = entries[id]?.session, session.phase == .authorizationPending, session.device?.deviceCode == deviceCode
        else { return nil }
        entries[id]?.session.phase = .exchanging
        entries[id]?.session.device = nil
        return session
    }
}

extension SignInSession {
    /// A page in a browser can still end it.
    public var hasPage: Bool { !stateHashes.isEmpty }
}
