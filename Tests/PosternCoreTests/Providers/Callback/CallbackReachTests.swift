import PosternCore
import Testing

@Suite("Where providers can send browsers back to")
struct CallbackReachTests {
    typealias Address = CallbackReach.Address
    typealias Port = CallbackReach.Port

    private func port(
        _ number: Int = 7678, main: CallbackReach.Status = .held, v4: CallbackReach.Status? = nil,
        v6: CallbackReach.Status = .held
    ) -> Port {
        Port(
            main: Address(host: "127.0.0.1", port: number, status: main),
            localhost: [
                Address(host: "127.0.0.1", port: number, status: v4 ?? main), Address(host: "::1", port: number, status: v6),
            ])
    }

    private func provider(_ id: String) throws -> Provider { try #require(Catalogue.provider(id)) }

    private func uri(_ id: String, _ reach: CallbackReach) throws -> Result<String, CallbackProblem> {
        let provider = try provider(id)
        return Result { () throws(CallbackProblem) in try reach.redirectURI(of: provider) }
    }

    @Test(
        "with its port every provider has its registered address",
        arguments: [
            ("github.com", "http://127.0.0.1:7678/__/auth/handler"), ("twitter.com", "http://127.0.0.1:7678/__/auth/handler"),
            ("microsoft.com", "http://localhost:7678/__/auth/handler"), ("facebook.com", "http://localhost:7678/__/auth/handler"),
        ])
    func configured(id: String, expected: String) throws {
        let reach = CallbackReach(scheme: "http", configured: port())
        #expect(try uri(id, reach).get() == expected)
        #expect(try reach.registeredURI(of: provider(id)) == expected)
        #expect(reach.origin == "http://127.0.0.1:7678")
    }

    @Test(
        "without it, those that take any port get a free one, and the others say who has theirs",
        arguments: [
            ("github.com", "http://127.0.0.1:40000/__/auth/handler"), ("google.com", "http://127.0.0.1:40000/__/auth/handler"),
            ("microsoft.com", "http://localhost:40000/__/auth/handler"), ("gitlab.com", nil), ("x.com", nil), ("twitter.com", nil),
            ("facebook.com", nil),
        ])
    func taken(id: String, expected: String?) throws {
        let taken = CallbackReach.Status.taken(by: .user("bob"))
        let reach = CallbackReach(scheme: "http", configured: port(main: taken), substitute: port(40000))
        switch try uri(id, reach) {
        case .success(let uri): #expect(uri == expected)
        case .failure(let problem):
            #expect(expected == nil)
            #expect(problem.description.contains("a program of bob has 127.0.0.1:7678"))
        }
        // What is registered does not change with that.
        #expect(try reach.registeredURI(of: provider(id)).contains(":7678/"))
        #expect(reach.origin == "http://127.0.0.1:40000")
        // No free port was available either.
        #expect(throws: CallbackProblem.self) { try uri(id, CallbackReach(scheme: "http", configured: port(main: taken))).get() }
    }

    @Test(
        "only who may end the program that has the address is told to",
        arguments: [
            (CallbackReach.Holder.own, "another program of yours has", "; end that program, then try again"),
            (.user("bob"), "a program of bob has", "; choose another port (postern doctor says how), then try again"),
            (.unknown, "another program has", "; end that program, or choose another port (postern doctor says how), then try again"),
        ], ["gitlab.com", "microsoft.com"])
    func remedy(holder: (CallbackReach.Holder, String, String), id: String) throws {
        let reach = CallbackReach(
            scheme: "http",
            configured: id == "gitlab.com" ? port(main: .taken(by: holder.0)) : port(v6: .taken(by: holder.0)))
        guard case .failure(let problem) = try uri(id, reach) else {
            Issue.record("\(id) has an address")
            return
        }
        #expect(problem.description.contains(holder.1) && problem.description.hasSuffix(holder.2))
    }

    @Test("while a free port is used, nobody is told that providers that redirect to localhost cannot be")
    func localhostAtTheSubstitute() throws {
        let taken = CallbackReach.Status.taken(by: .user("bob"))
        var reach = CallbackReach(scheme: "http", configured: port(main: taken, v6: taken), substitute: port(40000))
        #expect(try uri("microsoft.com", reach).get() == "http://localhost:40000/__/auth/handler")
        #expect(reach.problems.count == 2 && !reach.problems.contains { $0.contains("nobody can sign in") })
        reach.substitute = nil
        #expect(reach.problems.allSatisfy { $0.contains("nobody can sign in") })
        // A port that was used before and is kept is no help while ours is there.
        reach = CallbackReach(scheme: "http", configured: port(v6: taken), substitute: port(40000))
        #expect(reach.problems == ["[::1]:7678 is in use by a program of bob; nobody can sign in at providers that redirect to localhost"])
    }

    @Test("one of the two addresses of localhost that is another's is an error of those alone that say localhost")
    func family() throws {
        let reach = CallbackReach(scheme: "http", configured: port(v6: .taken(by: .user("bob"))))
        for id in ["microsoft.com", "facebook.com"] {
            guard case .failure(let problem) = try uri(id, reach) else {
                Issue.record("\(id) would send answers to bob")
                continue
            }
            #expect(problem.description.contains("[::1]:7678") && problem.description.contains("a program of bob"))
        }
        #expect(try uri("github.com", reach).get() == "http://127.0.0.1:7678/__/auth/handler")
    }

    @Test("a machine without IPv6 is fine")
    func absent() throws {
        let reach = CallbackReach(scheme: "http", configured: port(v6: .absent))
        #expect(try uri("microsoft.com", reach).get() == "http://localhost:7678/__/auth/handler")
    }

    @Test("an address that was not looked at is not trusted to be ours")
    func unknown() throws {
        let reach = CallbackReach(scheme: "http", configured: Port(main: Address(host: "127.0.0.1", port: 7678, status: .held)))
        #expect(throws: CallbackProblem.self) { try uri("microsoft.com", reach).get() }
        #expect(throws: CallbackProblem.self) { try uri("github.com", .unbound).get() }
    }

    @Test("a listener on IPv6 names its address in brackets; the path is the provider's own where it has one")
    func spelling() throws {
        let reach = CallbackReach(scheme: "https", configured: Port(main: Address(host: "::1", port: 443, status: .held)))
        var provider = try provider("github.com")
        provider.hasOwnCallbackPath = true
        #expect(try reach.redirectURI(of: provider) == "https://[::1]:443/__/auth/handler/github.com")
    }

    @Test("a relay needs the address that it hands answers on to; a scheme of an application's own needs none")
    func otherWays() throws {
        let taken = CallbackReach(
            scheme: "http", configured: port(main: .taken(by: .unknown)), substitute: port(40000))
        let held = CallbackReach(scheme: "http", configured: port())
        var provider = try provider("github.com")
        provider.redirectURI = .relay("https://auth.example.com/callback")
        #expect(try held.redirectURI(of: provider) == "https://auth.example.com/callback")
        #expect(held.listenerURI(of: provider) == "http://127.0.0.1:7678/__/auth/handler")
        #expect(throws: CallbackProblem.self) { try taken.redirectURI(of: provider) }
        provider.redirectURI = .privateScheme("com.example.app:/callback")
        #expect(try taken.redirectURI(of: provider) == "com.example.app:/callback")
    }

    @Test("a client that is registered for its redirect URI keeps that one")
    func registered() throws {
        var provider = try provider("google.com")
        #expect(provider.takesAnyLoopbackPort)
        provider.extensions.registersClient = true
        #expect(!provider.takesAnyLoopbackPort)
    }

    @Test(
        "it is known whether an answer would arrive",
        arguments: [
            ("http://127.0.0.1:7678/__/auth/handler", false), ("http://127.0.0.1:40000/__/auth/handler/work", true),
            ("http://localhost:40000/__/auth/handler", true), ("http://localhost:7678/__/auth/handler", false),
            ("http://127.0.0.1:39999/__/auth/handler", true), ("http://127.0.0.1:39998/__/auth/handler", false),
            ("com.example.app:/callback", true),
        ])
    func serves(uri: String, expected: Bool) {
        let reach = CallbackReach(
            scheme: "http", configured: port(main: .taken(by: .unknown)), substitute: port(40000),
            remembered: [Address(host: "127.0.0.1", port: 39999, status: .held)])
        #expect(reach.serves(uri) == expected)
    }
}
