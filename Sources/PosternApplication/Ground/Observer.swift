/// Receives the events that the service manager is notified of.
@DaemonActor
public protocol ApplicationObserver: AnyObject, Sendable {
    /// Something began or ended.
    func activityChanged()
    /// A client connected or disconnected.
    func clientsChanged()
    /// The configuration is about to be read again.
    func reloadBegan()
    func reloadEnded()
    /// Another configuration is in force.
    func configurationChanged()
    /// The program's file was replaced or removed.
    var isReplaced: Bool { get }
}
