import PosternClient

/// The ways to a provider that a user can switch to while the same request waits.
///
/// The daemon joins identical requests: if one is repeated with the other flow, it adds that way to the waiting sign-in and informs
/// everybody who waits for it. So the second call is finished with its first reply.
struct Ladder: Sendable {
    let socketPath: String
    /// The original request; with another flow it still counts as the same one.
    let question: Interface.SignIn

    enum Change: Sendable {
        case made
        case refused(PosternError)
    }

    /// The available ways. They are known for certain once a sign-in waits: then the provider's metadata have been read.
    func flows(of sessionID: String) -> [Provider.Flow] {
        guard let connection = try? PosternConnection(socketPath: socketPath) else { return [] }
        defer { connection.close() }
        // The request may name an account instead of its provider.
        let sessions = try? connection.call(Interface.ListSessions(), timeoutMilliseconds: Self.patience).sessions
        let providerID = sessions?.first { $0.sessionID == sessionID }?.providerID ?? question.providerID
        let providers = try? connection.call(Interface.ListProviders(), timeoutMilliseconds: Self.patience).providers
        return providers?.first { $0.providerID == providerID }?.flows ?? []
    }

    private static let patience: Int64 = 1000

    /// Adds a way to the sign-in. Blocks until the provider has given a code.
    func change(to flow: Provider.Flow, of sessionID: String) -> Change {
        var question = question
        question.flow = flow
        do {
            let connection = try PosternConnection(socketPath: socketPath)
            defer { connection.close() }
            try connection.callMore(Interface.SignIn.method.name, question.object, beginsAtOnce: true) { reply in
                throw FirstReply(event: try PosternConnection.read(Interface.SignIn.Reply.self, from: reply).event)
            }
            return .made
        } catch let first as FirstReply {
            // The waiting sign-in had just ended, and this call began another one that nobody waits for.
            if first.event.sessionID != sessionID { cancel(first.event.sessionID) }
            return .made
        } catch let error as PosternError {
            return .refused(error)
        } catch {
            return .refused(.connectionLost(reason: "\(error)"))
        }
    }

    /// Ends the wait for further replies.
    private struct FirstReply: Error {
        var event: SignInEvent
    }

    private func cancel(_ sessionID: String) {
        guard let connection = try? PosternConnection(socketPath: socketPath) else { return }
        defer { connection.close() }
        _ = try? connection.call(Interface.CancelSession(sessionID: sessionID), timeoutMilliseconds: Self.patience)
    }
}

/// The keys that a user can press, each with Enter, while a sign-in waits.
enum LadderKey: String {
    /// A code for another device.
    case device = "d"
    /// The address of the page.
    case address = "u"
    /// The list of keys.
    case help = "?"

    init?(line: String) { self.init(rawValue: line.lowercased()) }
}
