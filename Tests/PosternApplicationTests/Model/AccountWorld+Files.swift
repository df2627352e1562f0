import PosternApplication
import PosternCore
import StrictJSON

@testable import PosternStore

/// Tokens that are renewed and revoked, and a file that somebody changes.
extension AccountWorld {
    /// The provider checks that no refresh token comes twice.
    func renew(_ choices: [Int]) throws {
        let identities = model.users.flatMap(\.identities)
        guard !identities.isEmpty else { return }
        let identity = identities[choices[1] % identities.count]
        if choices[2].isMultiple(of: 2) { pass(11) }
        let parameters: JSONObject = ["providerID": .string("\(identity.provider)"), "uid": .string(identity.subject), "forceRefresh": true]
        for reply in [daemon.call("GetAccessToken", parameters), daemon.call("GetAccessToken", parameters)] {
            guard reply.isFinished, reply.lastWords == 1 else { throw Mismatch(description: "a token came \(reply.lastWords) times") }
        }
    }

    /// The credential goes; whose account it is stays.
    func revoke(_ choices: [Int]) throws {
        let identities = model.users.flatMap(\.identities)
        guard !identities.isEmpty else { return }
        let identity = identities[choices[1] % identities.count]
        let parameters: JSONObject = ["providerID": .string("\(identity.provider)"), "uid": .string(identity.subject)]
        _ = daemon.call("RevokeCredential", parameters)
        let reply = daemon.call("GetAccessToken", parameters)
        guard reply.errorName == "SignInRequired", reply.lastWords == 1 else {
            throw Mismatch(description: "a token of a revoked credential: \(reply.errorName ?? "one came")")
        }
    }

    /// Somebody writes to the database what is not sealed: whose an app is, or which address leads to whom. It has no effect, or is damage.
    /// Then it is as before.
    func tamper(_ app: Int, _ choices: [Int]) throws {
        guard let mine = model.current(app)?.user else { return }
        let others = model.users.filter { $0.uid != mine.uid && $0.email != mine.email && $0.email != nil }
        guard !others.isEmpty, let here = uids[mine.uid], let there = uids[others[choices[1] % others.count].uid] else { return }
        let other = others[choices[1] % others.count]
        if choices[2].isMultiple(of: 2) {
            daemon.write("UPDATE current_users SET uid = '\(there)' WHERE app = '\(Self.apps[app])'")
            let reply = daemon.call("GetCurrentUser", ["app": name(app)])
            daemon.write("UPDATE current_users SET uid = '\(here)' WHERE app = '\(Self.apps[app])'")
            if reply["user"] != nil { throw Mismatch(description: "the file says whose the app \(app) is") }
        } else if let email = other.email, mine.email != nil {
            let both = "users.uid IN ('\(here)', '\(there)')"
            daemon.write(
                """
                CREATE TEMP TABLE kept AS SELECT uid, email_index FROM users WHERE \(both);
                UPDATE users SET email_index = (SELECT kept.email_index FROM kept WHERE kept.uid <> users.uid) WHERE \(both);
                """)
            let reply = daemon.call("FetchProviders", ["email": .string(email)])
            daemon.write(
                """
                UPDATE users SET email_index = (SELECT kept.email_index FROM kept WHERE kept.uid = users.uid) WHERE \(both);
                DROP TABLE kept;
                """)
            if reply.error == nil { throw Mismatch(description: "the file says whose the address \(email) is") }
        }
    }
}

extension TestApplication {
    fileprivate func write(_ script: String) {
        run { [opener] _ in
            do { try await opener.store?.execute(script) } catch { preconditionFailure("\(script): \(error)") }
        }
    }
}

extension Store {
    fileprivate func execute(_ script: String) throws { try tables.connection.execute(script) }
}
