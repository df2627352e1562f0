import PosternClient

/// The ways to a provider that a user can switch to while the same sign-in waits.
///
/// A way is added by attaching to the sign-in with the other flow: everybody who waits for it is informed. So the second call is finished
/// with its first reply.
struct FlowSwitch: Sendable {
    let socketPath: String
    /// As the user named it: a provider, or an account.
    let providerID: String

    enum Change: Sendable {
        case made
        case refused(PosternError)
    }

    /// The provider with its ways. They are known for certain once a sign-in waits: then the provider's metadata have been read.
    func provider(of sessionID: String) -> Provider? {
        // The request may name an account instead of its provider.
        let sessions = try? PosternConnection.call(Interface.ListSessions(), at: socketPath, timeoutMilliseconds: Self.patience).sessions
        let providerID = sessions?.first { $0.sessionID == sessionID }?.providerID ?? providerID
        let providers = try? PosternConnection.call(Interface.ListProviders(), at: socketPath, timeoutMilliseconds: Self.patience).providers
        return providers?.first { $0.providerID == providerID }
    }

    private static let patience: Int64 = 1000

    /// Adds a way to the sign-in. Blocks until the provider has given a code.
    func change(to flow: Provider.Flow, of sessionID: String) -> Change {
        do {
            let connection = try PosternConnection(socketPath: socketPath)
            defer { connection.close() }
            let call = Interface.AttachSession(sessionID: sessionID, flow: flow)
            try connection.callMore(Interface.AttachSession.method.name, call.object, beginsAtOnce: true) { _ in throw FirstReply() }
            return .made
        } catch is FirstReply {
            return .made
        } catch let error as PosternError {
            return .refused(error)
        } catch {
            return .refused(.connectionLost(reason: "\(error)"))
        }
    }

    /// Ends the wait for further replies.
    private struct FirstReply: Error {}
}

/// The keys that a user can press, each with Enter, while a sign-in waits.
enum FlowKey: String {
    /// A code for another device.
    case device = "d"
    /// The address of the page.
    case address = "u"
    /// The list of keys.
    case help = "?"

    init?(line: String) { self.init(rawValue: line.lowercased()) }
}
