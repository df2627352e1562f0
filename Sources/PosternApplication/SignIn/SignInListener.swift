import PosternInterface

/// Where the events of one `SignIn` or `AttachSession` call go.
@DaemonActor
protocol SignInListener: AnyObject {
    /// The caller asked with `more`: it learns of every change. Without, it learns of the end alone.
    var wantsEveryEvent: Bool { get }
    /// Who opens the page, if this caller alone were to say; nil where it does not say.
    var presentation: Interface.SignIn.Presentation? { get }

    func eventHappened(_ event: Interface.SignInEvent)
    /// The last word, as ``failed(_:)`` is.
    ///
    /// - Returns: whether the answer is on its way; false where the caller is gone.
    func completed(_ event: Interface.SignInEvent) -> Bool
    @discardableResult
    func failed(_ error: InterfaceError) -> Bool
}
