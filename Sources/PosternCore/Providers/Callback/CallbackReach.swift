/// Where the callback listener can be reached now, and so which providers can redirect browsers back.
public struct CallbackReach: Sendable, Hashable {
    /// Whose process has an address that is not ours.
    public enum Holder: Sendable, Hashable, CustomStringConvertible {
        /// The kernel does not say.
        case unknown
        /// The daemon's own user.
        case own
        /// Another user, by name if there is one: only that user and root can end the program.
        case user(String)

        public var description: String {
            switch self {
            case .unknown: "another program"
            case .own: "another program of yours"
            case .user(let name): "a program of \(name)"
            }
        }
    }

    /// The state of one address.
    public enum Status: Sendable, Hashable {
        case held
        /// Another process listens there.
        case taken(by: Holder)
        /// This machine does not have it, for example `::1` if IPv6 is disabled; nobody else can have it either.
        case absent
        /// It could not be bound for another reason, in a sentence.
        case failed(String)
    }

    /// One address of the listener.
    public struct Address: Sendable, Hashable {
        /// Without the brackets of an IPv6 address.
        public var host: String
        public var port: Int
        public var status: Status

        public init(host: String, port: Int, status: Status) {
            self.host = host
            self.port = port
            self.status = status
        }

        /// `127.0.0.1:7678`, `[::1]:7678`.
        public var authority: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }

        /// Whether nobody else answers there.
        public var isSafe: Bool { status == .held || status == .absent }

        /// What is wrong with it, to follow its name; nil if it is held.
        public var trouble: String? {
            switch status {
            case .held: nil
            case .absent: "is no address of this machine"
            case .taken(let holder): "is in use by \(holder)"
            case .failed(let reason): "cannot be listened on: \(reason)"
            }
        }
    }

    /// The addresses at one port.
    public struct Port: Sendable, Hashable {
        /// The one in redirect URIs.
        public var main: Address
        /// Further configured ones.
        public var others: [Address]
        /// Both addresses that a browser may use for `localhost`; empty while no provider needs that.
        public var localhost: [Address]

        public init(main: Address, others: [Address] = [], localhost: [Address] = []) {
            self.main = main
            self.others = others
            self.localhost = localhost
        }
    }

    /// `http` or `https`.
    public var scheme: String
    /// As configured.
    public var configured: Port
    /// A free port, bound while another process had the configured one. It is kept: browsers may still return to it.
    public var substitute: Port?
    /// Further addresses at which sign-ins of an earlier run of the daemon wait.
    public var remembered: [Address]

    public init(scheme: String, configured: Port, substitute: Port? = nil, remembered: [Address] = []) {
        self.scheme = scheme
        self.configured = configured
        self.substitute = substitute
        self.remembered = remembered
    }

    /// The state before anything is bound.
    public static let unbound = CallbackReach(
        scheme: "http", configured: Port(main: Address(host: "127.0.0.1", port: 7678, status: .failed("it is not listened on yet"))))

    /// Whether every address is ours that could be.
    public var isComplete: Bool {
        ([configured.main] + configured.others + configured.localhost).allSatisfy { $0.status == .held || $0.status == .absent }
    }

    /// What is wrong with the address in redirect URIs, and what follows from it; nil if it is held.
    public var trouble: String? {
        guard let trouble = configured.main.trouble else { return nil }
        let rest = substitute.map { "until it is free, sign-ins at providers that accept any port use \($0.main.authority)" }
        return "\(configured.main.authority) \(trouble); \(rest ?? "nobody can sign in in a browser before it is free")"
    }

    /// A sentence for each address that is not held although it should be.
    public var problems: [String] {
        var problems = [trouble].compactMap(\.self)
        for place in configured.others + configured.localhost where !place.isSafe && place != configured.main {
            guard let trouble = place.trouble else { continue }
            problems.append("\(place.authority) \(trouble)\(configured.localhost.contains(place) ? consequenceForLocalhost : "")")
        }
        return problems
    }

    /// What follows if one side of `localhost` is not held. While a free port is used, ``trouble`` covers it as well.
    public var consequenceForLocalhost: String {
        guard configured.main.status == .held || substitute == nil else { return "" }
        return "; nobody can sign in at providers that redirect to localhost"
    }

    /// Whether an answer sent to this redirect URI arrives here.
    public func serves(_ uri: String) -> Bool {
        guard let parsed = try? EndpointURL(uri) else {
            // Not one of the listener's: an application's own scheme.
            return true
        }
        let ports = [configured] + (substitute.map { [$0] } ?? [])
        if parsed.host == "localhost" {
            return ports.contains { port in
                port.main.port == Int(parsed.port) && !port.localhost.isEmpty
                    && port.localhost.allSatisfy { $0.status == .held || $0.status == .absent }
            }
        }
        let places = ports.flatMap { [$0.main] + $0.others + $0.localhost } + remembered
        return places.contains { $0.status == .held && $0.host == parsed.host && $0.port == Int(parsed.port) }
    }

    // MARK: Redirect URIs

    /// Where the listener is now, the one in redirect URIs first.
    public var origins: [String] {
        var origins: [String] = []
        if configured.main.status == .held {
            origins.append(origin(configured.main))
        } else if let substitute {
            origins.append(origin(substitute.main))
        }
        for place in configured.others where place.status == .held { origins.append(origin(place)) }
        return origins
    }

    /// The first of ``origins``, and the configured one if there is none.
    public var origin: String { origins.first ?? origin(configured.main) }

    /// The redirect URI that is registered at the provider, whether or not it can be reached now.
    public func registeredURI(of provider: Provider) -> String { provider.redirectURI?.text ?? listenerURI(of: provider, at: configured) }

    /// Where the listener accepts a provider's answers that a website forwards.
    public func listenerURI(of provider: Provider) -> String { listenerURI(of: provider, at: configured) }

    /// The redirect URI of a sign-in that begins now.
    ///
    /// - Throws: why the answer would not arrive, or would reach somebody else.
    public func redirectURI(of provider: Provider) throws(CallbackProblem) -> String {
        if case .privateScheme(let text) = provider.redirectURI { return text }
        if configured.main.status != .held, let substitute, provider.takesAnyLoopbackPort {
            try check(substitute, for: provider)
            return listenerURI(of: provider, at: substitute)
        }
        try check(configured, for: provider)
        return registeredURI(of: provider)
    }

    private func check(_ port: Port, for provider: Provider) throws(CallbackProblem) {
        guard port.main.status == .held else { throw CallbackProblem(place: port.main, name: nil, provider: provider.displayName) }
        // Browsers try one of the two first, and we cannot choose which.
        guard provider.redirectHost == .localhost, provider.redirectURI == nil else { return }
        guard !port.localhost.isEmpty else {
            var place = port.main
            place.status = .failed("both of its addresses are not listened on yet")
            throw CallbackProblem(place: place, name: "localhost", provider: provider.displayName)
        }
        for place in port.localhost where place.status != .held && place.status != .absent {
            throw CallbackProblem(place: place, name: "localhost", provider: provider.displayName)
        }
    }

    private func listenerURI(of provider: Provider, at port: Port) -> String {
        let origin =
            switch provider.redirectHost {
            // A website forwards the answer to the address.
            case .address, .website: origin(port.main)
            case .localhost: "\(scheme)://localhost:\(port.main.port)"
            }
        return "\(origin)/__/auth/handler" + (provider.hasOwnCallbackPath ? "/\(provider.id)" : "")
    }

    private func origin(_ place: Address) -> String { "\(scheme)://\(place.authority)" }
}

/// Why a provider's answers would not arrive here.
public struct CallbackProblem: Error, Sendable, Hashable, CustomStringConvertible {
    public var place: CallbackReach.Address
    /// What the redirect URI names instead of the address.
    public var name: String?
    var provider: String

    public var description: String {
        let named = name.map { "\($0) is \(place.authority) as well, and " } ?? ""
        return switch place.status {
        case .held, .absent: "\(place.authority) is not listened on"
        case .taken(let holder) where name != nil:
            "\(named)\(holder) has that address, so answers of \(provider) could go there; \(Self.remedy(holder))"
        case .taken(let holder):
            "\(holder) has \(place.authority), and \(provider) accepts no other address; \(Self.remedy(holder))"
        case .failed(let reason): "\(named)\(place.authority) cannot be listened on: \(reason)"
        }
    }

    private static func remedy(_ holder: CallbackReach.Holder) -> String {
        switch holder {
        case .own: "end that program, then try again"
        case .unknown: "end that program, or choose another port (postern doctor says how), then try again"
        case .user: "choose another port (postern doctor says how), then try again"
        }
    }
}

extension Provider {
    /// A callback URL that differs from the registered one only in its port is accepted.
    ///
    /// A client that the daemon registers (RFC 7591) would have to be registered again for each port, and the credentials of the previous
    /// one would be lost with it.
    public var takesAnyLoopbackPort: Bool {
        redirectPort == .any && redirectURI == nil && redirectHost != .website && !extensions.registersClient
    }
}
