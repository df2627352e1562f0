/// Is told what the service manager hears of.
@DaemonActor
public protocol ApplicationObserver: AnyObject, Sendable {
    /// Something began or ended.
    func activityChanged()
    /// A client came or went.
    func clientsChanged()
    /// The configuration begins to be read again.
    func reloadBegan()
    func reloadEnded()
    /// Another configuration is in force.
    func configurationChanged()
}
