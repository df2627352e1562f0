import StrictJSON

/// Whether the daemon did what the model says.
extension AccountWorld {
    func check(_ reply: RecordedReply, _ outcome: AccountModel.Outcome) throws {
        func mismatch(_ what: String) -> Mismatch { Mismatch(description: "\(what), where the model says \(outcome); \(reply.message)") }
        guard reply.isFinished, reply.lastWords == 1 else { throw mismatch("there are \(reply.lastWords) answers") }
        switch outcome {
        case .refused(let name): guard reply.errorName == name else { throw mismatch("\(reply.errorName ?? "it succeeded")") }
        case .credential, .done: guard reply.error == nil else { throw mismatch("\(reply.errorName ?? "")") }
        case .user(let uid):
            guard reply.error == nil else { throw mismatch("\(reply.errorName ?? "")") }
            let result = reply["result"]?.objectValue ?? reply.event?["result"]?.objectValue
            let user = result?["user"]?.objectValue ?? reply["user"]?.objectValue
            guard let real = user?["uid"]?.stringValue else { throw mismatch("no user came") }
            if let known = uids[uid] {
                guard known == real else { throw mismatch("another user came") }
            } else {
                guard !uids.values.contains(real) else { throw mismatch("a user came that there was before") }
                uids[uid] = real
            }
        }
    }

    /// Nobody was told who the new user is, but the app is signed in as that user.
    func learn(_ uid: Int, app: Int) {
        guard uids[uid] == nil, let real = currentUser(app), !uids.values.contains(real) else { return }
        uids[uid] = real
    }

    func currentUser(_ app: Int) -> String? {
        daemon.call("GetCurrentUser", ["app": name(app)])["user"]?.objectValue?["uid"]?.stringValue
    }

    /// A handle that is used or over is taken by nobody, at once.
    func usedHandle(in model: AccountModel) -> String? {
        for number in handles.keys.sorted() where !model.handles.contains(where: { $0.number == number }) {
            guard let handle = handles.removeValue(forKey: number) else { continue }
            let credential: JSON = ["handle": .string(handle)]
            let reply = daemon.call("SignInWithCredential", ["credential": credential, "app": name(0)])
            if reply.errorName != "InvalidCredential" { return "a handle that is over is taken: \(reply.message)" }
        }
        return nil
    }

    /// What the daemon says of each app's user, and whether the app is recent, beside the model; nil if it is the same.
    func difference(from model: AccountModel) -> String? {
        for app in Self.apps.indices {
            let reply = daemon.call("GetCurrentUser", ["app": name(app)])
            guard reply.error == nil else { return "nobody can be told: \(reply.message)" }
            let real = reply["user"]?.objectValue
            guard let (_, user) = model.current(app) else {
                if let real { return "the app \(app) has the user \(real["uid"]?.stringValue ?? ""), and the model nobody" }
                continue
            }
            guard let real else { return "the app \(app) has nobody, and the model \(user)" }
            if real["uid"]?.stringValue != uids[user.uid] { return "the app \(app) has another user than \(user)" }
            let accounts = Set(
                real["providerData"]?.arrayValue?.compactMap(\.objectValue).compactMap { data in
                    data["providerID"] == "password" ? "password" : "\(data["providerID"]?.stringValue ?? "")/\(data["uid"]?.stringValue ?? "")"
                } ?? [])
            let expected = Set(user.identities.map { "\($0.provider)/\($0.subject)" } + (user.password == nil ? [] : ["password"]))
            if accounts != expected { return "the user of app \(app) has \(accounts.sorted()), and in the model \(expected.sorted())" }
            if real["email"]?.stringValue != user.email { return "the user of app \(app) has the address \(real["email"]?.stringValue ?? "-"), not \(user.email ?? "-")" }
            if real["emailVerified"] != .bool(user.proof > 0) { return "the address in app \(app) is not proved as in the model, \(user.proof)" }
            if real["isAnonymous"] != .bool(user.isAnonymous) { return "the user of app \(app) is not as anonymous as in the model" }
            let factors = real["secondFactors"]?.arrayValue?.count ?? 0
            if factors != (user.factorOwner == nil ? 0 : 1) { return "the user of app \(app) has \(factors) factors" }
            let asked = daemon.call("RemoveSecondFactor", ["uid": "none", "app": name(app)])
            let isRecent = asked.errorName != "RequiresRecentSignIn"
            let mayBe = model.isRecent(app) && (user.factorOwner == nil || model.apps[app]?.hasFactor == true)
            if isRecent != mayBe { return "app \(app) is \(isRecent ? "" : "not ")recent, and in the model it is \(mayBe ? "" : "not")" }
            if let provider = model.forbiddenUnlinking(in: app) {
                let refused = daemon.call("UnlinkProvider", ["providerID": .string("\(provider)"), "app": name(app)])
                if refused.errorName != "RequiresRecentSignIn" { return "app \(app) unlinks \(provider), which it must not" }
            }
        }
        return nil
    }
}
