import PosternConfiguration
import PosternCore

/// Something for the user to read, wherever they are on the desktop. It may stay on the screen while that is locked.
public struct Notice: Sendable, Equatable {
    /// A later notice with the same ID replaces it.
    public var id: String
    public var summary: String
    /// Plain text.
    public var body: String
    /// The button's label; nil if the notice has none.
    public var button: String?

    public init(id: String, summary: String, body: String, button: String?) {
        self.id = id
        self.summary = summary
        self.body = body
        self.button = button
    }
}

/// Where notices are shown.
@DaemonActor
public protocol NoticeBoard: AnyObject {
    /// - Parameter heard: called with the events of the notice, on a later turn.
    func show(_ notice: Notice, heard: @escaping @Sendable @DaemonActor (NoticeEvent) -> Void)
    func withdraw(_ id: String)
    /// Withdraws all notices, because nobody handles their buttons any more; returns when that is done, or cannot be done.
    func close() async
}

public enum NoticeEvent: Sendable, Equatable {
    /// - activationToken: printable and short; with it the desktop lets the browser come to the front.
    case buttonPressed(activationToken: String?)
    /// It is no longer on the screen.
    case closed
    case notShown(String)
}
