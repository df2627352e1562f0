/// What became of an authorization response that a browser brought.
public enum CallbackDisposition: Sendable, Hashable {
    /// It belongs to a sign-in, now or earlier, which has this result page.
    case taken(pageID: String)
    /// Its state is unknown, used up or expired, and nothing has changed.
    case notRecognised
    /// Its sign-in may be on disk, where it cannot be read: the response is not used up, and can be repeated once the store is open.
    case storeLocked
    /// The same if the store cannot be opened at all.
    case storeUnusable
}
