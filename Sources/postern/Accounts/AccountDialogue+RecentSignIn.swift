import PosternClient

extension AccountDialogue {
    /// Does what may want a recent sign-in: where it does, the person proves once more who they are, and it is done again.
    func recently<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch PosternError.refused(.requiresRecentSignIn(let message)) {
            try reauthenticate(.requiresRecentSignIn(message: message))
        }
        return try body()
    }

    private func reauthenticate(_ refusal: InterfaceError) throws {
        let user = try currentUser()
        guard let prompt, let user, !user.providerData.isEmpty else { throw advice(of: user).failure(refusal) }
        let providers = user.providerData.map(\.providerID)
        let names = providers.map { name(ofProvider: $0) }
        prompt.say("Your last sign-in is too long ago for this.")
        let index: Int
        if names.count == 1 {
            guard try prompt.isYes("Prove who you are with \(names[0]), and go on?", byDefault: true) else { throw Self.declined }
            index = 0
        } else {
            guard let chosen = try prompt.choice("Prove who you are with which one, and go on?", among: names) else { throw Self.declined }
            index = chosen
        }
        let proved = try prove(way(providers[index], email: user.email), .reauthenticate)
        prompt.say(PersonText.outcome(of: proved))
    }
}
