/// What the callback listener is needed for.
public struct CallbackNeed: Sendable, Hashable {
    /// A provider accepts only `localhost`.
    public var localhost: Bool
    /// The addresses at which waiting sign-ins expect their answers: `http://127.0.0.1:7678/__/auth/handler`.
    public var awaited: Set<String>

    public init(localhost: Bool = false, awaited: Set<String> = []) {
        self.localhost = localhost
        self.awaited = awaited
    }
}
