import PosternClient
import PosternInterface

/// The sign-ins that the bridge begins for requests that need one, if its user asked for that.
final class OpenedSignIns {
    private let link: DaemonLink
    /// By the account's name. The daemon joins sign-ins of one account and limits how often a page is opened.
    private var open: [String: DaemonLink.Following] = [:]
    /// More would be pages that nobody can follow.
    private static let most = 4

    init(_ link: DaemonLink) { self.link = link }

    /// The daemon opens the page; it stays open when the request has failed, and whoever waits is told by the daemon's events.
    ///
    /// - Parameters:
    ///   - name: the account's or its provider's.
    ///   - challenge: what the server demands.
    ///   - failed: called if the sign-in ends in an error, such as the person's refusal.
    func begin(_ name: String, challenge: [String]?, failed: @escaping (PosternError) -> Void) {
        guard open[name] == nil, open.count < Self.most else { return }
        let call = Interface.SignIn(providerID: name, intent: .keep, presentation: .daemon, challenge: challenge)
        open[name] = link.follow(call, onReply: { _ in }) { [weak self] error in
            self?.open[name] = nil
            if let error { failed(error) }
        }
    }
}
