/// The environment of a command behind a proxy: what it has in place of tokens.
struct ProxiedEnvironment {
    struct Address: Equatable {
        var name: String
        /// How the command reaches the account's URL.
        var url: String
        /// The Unix socket's path.
        var socket: String
    }

    var places: [Address]
    /// What stands for a token. It opens nothing.
    var dummy: String

    /// In the order in which they are set.
    func variables(setting texts: [SetVariable]) -> [(name: String, value: String)] {
        places.flatMap { place in zip(Self.names(of: place.name), [place.url, place.socket, dummy]).map { ($0, $1) } }
            + texts.map { ($0.name, filled($0.text)) }
    }

    /// The variables of an account, whose names begin with this.
    static func names(of name: String) -> [String] { ["_BASE_URL", "_SOCKET", "_TOKEN"].map { name + $0 } }

    /// Whatever else is in braces stays.
    private func filled(_ text: String) -> String {
        var values = [("{dummy}", dummy)]
        for place in places { values += [("{\(place.name).url}", place.url), ("{\(place.name).socket}", place.socket)] }
        if places.count == 1 { values += [("{url}", places[0].url), ("{socket}", places[0].socket)] }
        var (filled, rest) = ("", text[...])
        while let brace = rest.unicodeScalars.firstIndex(of: "{") {
            filled += rest[..<brace]
            rest = rest[brace...]
            if let (word, value) = values.first(where: { rest.begins(with: $0.0) }) {
                filled += value
                rest = rest.rest(after: word) ?? ""
            } else {
                filled += "{"
                rest = rest.after(brace)
            }
        }
        return filled + rest
    }

    /// A program that is told to use an HTTP proxy would ask that for this machine's port, too.
    ///
    /// - Parameter variable: gives those that the command inherits.
    /// - Returns: the variables that keep it from doing so; nothing if there is no such proxy.
    static func exceptions(_ variable: (String) -> String?) -> [(name: String, value: String)] {
        let proxies = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]
        guard proxies.contains(where: { !(variable($0) ?? "").isEmpty }) else { return [] }
        return ["no_proxy", "NO_PROXY"].map { name in
            let given = variable(name) ?? variable(name == "no_proxy" ? "NO_PROXY" : "no_proxy") ?? ""
            return (name, given.isEmpty ? "127.0.0.1,localhost" : "\(given),127.0.0.1,localhost")
        }
    }
}

/// `VARIABLE=TEXT` of `--set`.
struct SetVariable: Equatable, Sendable {
    var name: String
    var text: String

    /// Nil if there is a ``problem(_:)``.
    init?(_ text: String) {
        guard let equals = text.unicodeScalars.firstIndex(of: "="), VariableName.isOne(text[..<equals]) else { return nil }
        name = String(text[..<equals])
        self.text = String(text.after(equals))
    }

    static func problem(_ text: String) -> String? {
        SetVariable(text) == nil ? "write VARIABLE=TEXT, such as OPENAI_BASE_URL={url}/v1" : nil
    }

    /// `{url}` and `{socket}` mean nothing if there are several accounts.
    var namesNobody: Bool { text.holds("{url}") || text.holds("{socket}") }
}
