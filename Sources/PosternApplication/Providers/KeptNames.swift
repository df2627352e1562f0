import PosternCore

/// Keeps the names of stored accounts with the sections of the configuration that they were made for.
@DaemonActor
final class KeptNames: Grounded {
    /// More readings of the configuration than anybody makes while the store is locked. With more, the first ones are forgotten.
    private static let mostMissed = 64

    private let loader: CredentialLoader
    let ground: Ground
    /// What was configured while the store was closed, in order.
    private var missed: [AccountDirectory] = []

    init(_ ground: Ground, loader: CredentialLoader) {
        self.loader = loader
        self.ground = ground
    }

    /// The configuration has these sections: a name whose section is gone is forgotten, and one whose section is called otherwise follows it.
    ///
    /// To be called for what was in force, too, before something else is: the store may have been opened since the last call.
    func follow(_ sections: AccountDirectory) async {
        await loader.complete()
        guard !store.isUnavailable else {
            missed = (missed + [sections]).suffix(Self.mostMissed)
            return
        }
        let all = missed + [sections]
        missed = []
        var named: [(key: CredentialKey, name: SignInName)] = []
        loader.cache.forEach { credential in
            if let name = credential.signedInAs { named.append((CredentialKey(credential), name)) }
        }
        for (key, former) in named {
            let name = all.reduce(Optional(former)) { name, sections in name.flatMap { sections.kept($0, at: key.providerID) } }
            guard name != former else { continue }
            loader.cache.nameChanged(of: key, to: name)
            do throws(StoreError) { try await store.opened().setName(name, of: key, insteadOf: former) } catch {
                events.report(
                    .storeProblem, "the name \(former.name) of a stored account could not be forgotten: \(error)", level: .warning,
                    providerID: key.providerID)
            }
        }
    }
}
