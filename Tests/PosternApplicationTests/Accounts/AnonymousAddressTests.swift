import PosternApplication
import PosternCore
import StrictJSON
import Testing

@Suite("An anonymous user who is given an address", .serialized)
struct AnonymousAddressTests {
    private func scene(_ authority: Authority) throws -> AccountScene {
        let scene = try AccountScene(authority)
        #expect(scene.call("SignInAnonymously", app: "photos").error == nil)
        #expect(scene.call("UpdateUser", ["email": "ada@example.com"], app: "photos").error == nil)
        return scene
    }

    @Test("stays anonymous until it has a way to sign in, and can be given one at any time", arguments: Authority.allCases)
    func anonymous(authority: Authority) throws {
        let scene = try scene(authority)
        #expect(scene.user(app: "photos")?["isAnonymous"] == true && scene.user(app: "photos")?["email"] == "ada@example.com")
        if authority == .own { scene.daemon.pass(seconds: 301) }
        let password = scene.call("UpdateUser", ["password": "correct horse battery"], app: "photos")
        #expect(password.error == nil, "\(password.message)")
        #expect(scene.user(app: "photos")?["isAnonymous"] == false)
        #expect(scene.signIn(password: "correct horse battery", app: "chess").error == nil)
        #expect(scene.uid(app: "chess") == scene.uid(app: "photos"))
    }

    @Test("keeps its address from nobody, whichever way its owner comes")
    func address() throws {
        for way in ["an authority", "another provider", "a password"] {
            for isSignedOut in [false, true] {
                let scene = try scene(.own)
                let anonymous = scene.uid(app: "photos")
                if isSignedOut { #expect(scene.call("SignOut", app: "photos").error == nil) }
                let reply: RecordedReply
                switch way {
                case "an authority": reply = scene.signIn("ada", app: "hers")
                case "another provider": reply = scene.signIn("adas.ada", at: "home", app: "hers")
                default: reply = scene.call("CreateUser", ["email": "ada@example.com", "password": "correct horse battery"], app: "hers")
                }
                #expect(reply.error == nil, "\(way): \(reply.message)")
                #expect(scene.user(app: "hers")?["email"] == "ada@example.com" && scene.uid(app: "hers") != anonymous, "\(way)")
                guard !isSignedOut else { continue }
                // It is another's now, and a password would need one.
                let late = scene.call("UpdateUser", ["password": "another correct horse"], app: "photos")
                #expect(late.errorName == "InvalidEmail", "\(way): \(late.message)")
                #expect(scene.uid(app: "photos") == anonymous && scene.user(app: "photos")?["email"] == nil, "\(way)")
                #expect(scene.call("UpdateUser", ["email": "ada@example.com"], app: "photos").errorName == "EmailAlreadyInUse", "\(way)")
                #expect(scene.user(app: "photos")?["isAnonymous"] == true, "\(way)")
            }
        }
    }

    @Test("The ways to sign in that a refusal names are never none")
    func ways() throws {
        let scene = try scene(.own)
        // The anonymous user is no reason for one.
        #expect(scene.daemon.call("FetchProviders", ["email": "ada@example.com"])["providerIDs"] == [])
        #expect(scene.call("CreateUser", ["email": "ada@example.com", "password": "correct horse battery"], app: "hers").error == nil)
        let refused = scene.signIn("adas.ada", at: "home", app: "chess")
        #expect(refused.error?.object["providerIDs"] == ["password"], "\(refused.message)")
    }
}
