import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// Whatever is to be revoked is written down with the change that makes it superfluous.
@Suite("A grant that nobody has any more", .serialized)
struct RevocationOutboxTests {
    /// What makes it superfluous.
    enum Ending: String, CaseIterable, Sendable {
        case deletion, unlinking, credential, signOut, recovery, cancelled

        /// The refresh token, by the account that it is of.
        var person: String { self == .unlinking ? "adas" : self == .recovery || self == .cancelled ? "eve" : "ada" }

        func prepare(_ scene: AccountScene) {
            switch self {
            case .recovery:
                // The address is Ada's, as the authority for it says in the end.
                #expect(scene.signIn("eve.ada", at: "club").isCompleted)
            case .cancelled: break
            default:
                #expect(scene.signIn("ada").isCompleted)
                #expect(scene.signIn("adas", at: "home", intent: "link").isCompleted)
            }
        }

        func happens(in scene: AccountScene) {
            switch self {
            case .deletion: scene.call("DeleteUser")
            case .unlinking: scene.call("UnlinkProvider", ["providerID": "home"])
            case .credential, .signOut: scene.daemon.call("RevokeCredential", ["providerID": "work"])
            case .recovery: #expect(scene.signIn("ada", app: "other").isCompleted)
            case .cancelled:
                scene.people.held = "https://club.example/userinfo"
                let reply = scene.signIn("eve", at: "club")
                scene.daemon.call("CancelSession", ["sessionID": reply.event?["sessionID"] ?? .null])
                scene.people.held = "https://club.example/revoke"
                scene.daemon.executor.isolated { [people = scene.people, provider = scene.daemon.provider] in
                    if let answer = provider.waiting.first.flatMap({ people.answer(to: $0.request) }) { provider.answer(answer) }
                }
                scene.daemon.settle()
            }
        }

        var provider: String { self == .unlinking ? "home" : self == .recovery || self == .cancelled ? "club" : "work" }
    }

    private func isRevoked(_ ending: Ending, in scene: AccountScene) -> Bool {
        scene.daemon.revoked.contains { $0.hasPrefix("rt-\(ending.person)") }
    }

    @Test("is revoked by the next run, if this one is killed before the provider answers", arguments: Ending.allCases)
    func killed(ending: Ending) throws {
        let scene = try AccountScene(.own)
        ending.prepare(scene)
        scene.people.held = "https://\(ending.provider).example/revoke"
        ending.happens(in: scene)
        let next = try scene.killed()
        scene.people.held = nil
        #expect(!isRevoked(ending, in: next))
        next.daemon.pass(seconds: 60)
        #expect(isRevoked(ending, in: next), "\(next.daemon.revoked)")
        // Once.
        let third = try next.restarted()
        third.daemon.pass(seconds: 60)
        #expect(third.daemon.revoked.isEmpty)
    }

    @Test("is revoked, or still there, whatever a power cut leaves of the change", arguments: [Ending.deletion, .unlinking, .credential])
    func images(ending: Ending) throws {
        let scene = try AccountScene(.own)
        ending.prepare(scene)
        scene.people.held = "https://\(ending.provider).example/revoke"
        let images = try scene.images { ending.happens(in: scene) }
        scene.people.held = nil
        for (number, image) in images.enumerated() {
            let next = try scene.run(on: image)
            next.daemon.pass(seconds: 60)
            let kept = next.daemon.call("ListCredentials")["credentials"]?.arrayValue ?? []
            let isKept = kept.contains { $0.objectValue?["providerID"] == .string(ending.provider) }
            #expect(isKept != isRevoked(ending, in: next), "image \(number) of \(images.count)")
        }
    }

    @Test("is revoked after a lock in between", arguments: [Ending.deletion, .credential])
    func locked(ending: Ending) throws {
        let scene = try AccountScene(.own)
        ending.prepare(scene)
        let url = "https://\(ending.provider).example/revoke"
        scene.people.held = url
        ending.happens(in: scene)
        scene.daemon.call("Lock")
        scene.daemon.pass(seconds: 120)
        while scene.daemon.isAsked { scene.daemon.fail(mayHaveReachedServer: false) }
        let before = scene.daemon.revoked.count
        scene.people.held = nil
        scene.daemon.pass(seconds: 7200)
        #expect(scene.daemon.revoked.count == before, "nothing of it is known while the store is locked")
        scene.daemon.call("Unlock")
        scene.daemon.pass(seconds: 7200)
        #expect(scene.daemon.revoked.count > before)
    }

    @Test("is not forgotten while the provider cannot be reached, for a week")
    func unreachable() throws {
        let scene = try AccountScene(.own)
        #expect(scene.signIn("ada").isCompleted)
        scene.daemon.executor.isolated { [people = scene.people, provider = scene.daemon.provider] in
            provider.automatic = { request in
                guard request.url == "https://work.example/revoke" else { return people.answer(to: request) }
                return .failure(TransportFailure("the network is unreachable", mayHaveReachedServer: false))
            }
        }
        scene.call("DeleteUser")
        let first = scene.daemon.revoked.count
        #expect(first > 0)
        scene.daemon.pass(seconds: 60)
        #expect(scene.daemon.revoked.count == first, "not at once again")
        scene.daemon.pass(seconds: 2 * 3600)
        #expect(scene.daemon.revoked.count > first)
        scene.daemon.pass(seconds: 7 * 86_400)
        let last = scene.daemon.revoked.count
        #expect(scene.daemon.log.entries.contains { "\($0)".contains("is not asked again") })
        scene.daemon.pass(seconds: 2 * 86_400)
        #expect(scene.daemon.revoked.count == last)
    }

    @Test("is left alone if the person has signed in there again")
    func again() throws {
        let scene = try AccountScene(.own)
        #expect(scene.signIn("ada").isCompleted)
        scene.people.held = "https://work.example/revoke"
        scene.call("DeleteUser")
        let next = try scene.killed()
        scene.people.held = nil
        #expect(next.signIn("ada").isCompleted)
        next.daemon.pass(seconds: 60)
        #expect(next.daemon.revoked.isEmpty)
    }
}
