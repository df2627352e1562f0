import PosternClient

/// A curl command line of which it is known what is requested, and where.
struct CurlCommandLine: Equatable {
    /// The arguments for curl.
    private(set) var arguments: [String] = []
    private(set) var urls: [CurlURL] = []
    private(set) var followsRedirects = false
    /// curl may send the same request again.
    private(set) var repeats = false
    /// A second run does the same as the first, and what the first one left behind does not interfere.
    var canBeSentAgain: Bool { isRepeatable && urls.count == 1 }
    private var isRepeatable = true
    /// Whether curl prints the body of the response, and a binary one, too.
    private(set) var printsBody = true
    private(set) var printsBinaries = false
    private var method: String?
    private var isHead = false
    private var isGet = false
    private var isUpload = false
    private var hasOtherBody = false
    private var contentType: String?
    private var data: [CurlData] = []

    /// - Throws: with the status of wrong usage, for options that could send the token elsewhere, or whose effect is unknown.
    init(_ words: [String]) throws(CommandFailure) {
        for word in words {
            guard word.unicodeScalars.allSatisfy({ $0.value != 0 }) else { throw Self.refusal("an argument has a NUL") }
        }
        var rest = words[...]
        while let word = rest.popFirst() {
            if let name = word.rest(after: "--") {
                guard !name.isEmpty else { throw Self.refusal("-- is not needed: a URL begins with https://") }
                try take(String(name), shown: "--\(name)", attached: nil, &rest)
            } else if let letters = word.rest(after: "-"), !letters.isEmpty {
                try takeLetters(letters.unicodeScalars, &rest)
            } else {
                urls.append(try CurlURL(word))
            }
        }
        arguments += urls.flatMap { ["--url", $0.text] }
        guard !urls.isEmpty else { throw Self.refusal("which URL?") }
        if isUpload, let open = urls.first(where: \.endsInSlash) {
            throw Self.refusal("curl adds the name of the file to \(open.text.plain): write the whole URL")
        }
        if isGet, !data.isEmpty {
            guard let query = CurlData.query(data) else {
                throw Self.refusal("what --get adds to the URL cannot be checked: write it out, or use --data-urlencode")
            }
            for index in urls.indices { urls[index].add(query: query) }
        }
        guard !isGet || !hasOtherBody else { throw Self.refusal("--get adds to the URL what cannot be checked: use --data-urlencode") }
    }

    /// The method of the requests.
    var requestMethod: String {
        if let method { return method }
        if isHead { return "HEAD" }
        if isUpload { return "PUT" }
        return !isGet && (hasOtherBody || !data.isEmpty) ? "POST" : "GET"
    }

    /// The part of the body that a signature covers (RFC 5849 section 3.4.1.3.1).
    enum Form: Equatable {
        case none
        case parameters([FormParameter])
        /// The body is read from a file.
        case unknown
    }

    var form: Form {
        guard !isGet, !hasOtherBody, !isUpload, !data.isEmpty else { return .none }
        if let contentType, contentType.before({ $0 == ";" || $0 == " " }).lowercased() != "application/x-www-form-urlencoded" {
            return .none
        }
        return CurlData.parameters(data).map { .parameters($0) } ?? .unknown
    }

    /// `-sSfo FILE`, `-XPOST`: letters up to the first that takes a value, which is the rest of the word or the next one.
    private mutating func takeLetters(_ word: Substring.UnicodeScalarView, _ rest: inout ArraySlice<String>) throws(CommandFailure) {
        var letters = word
        while let letter = letters.popFirst() {
            guard let name = CurlOption.letters[letter] else { throw Self.unknown("-\(letter)") }
            if try take(name, shown: "-\(letter)", attached: letters.isEmpty ? nil : String(Substring(letters)), &rest) { return }
        }
    }

    /// - Parameter attached: the rest of the same word, the value of an option that takes one.
    /// - Returns: whether it took a value.
    @discardableResult
    private mutating func take(
        _ name: String, shown: String, attached: String?, _ rest: inout ArraySlice<String>
    ) throws(CommandFailure) -> Bool {
        guard let option = CurlOption.named(name) else { throw Self.unknown(shown) }
        switch option {
        case .refused(let reason): throw Self.refusal("\(shown) is not passed on: it \(reason)")
        case .flag:
            if CurlOption.unrepeatable.contains(name) { isRepeatable = false }
            if name.begins(with: "remote-name") { printsBody = false }
            arguments.append("--\(name)")
            return false
        case .value:
            let value = try Self.value(of: name, shown, attached, &rest)
            note(name, value)
            arguments += ["--\(name)", value]
            return true
        case .request(let part) where !part.takesValue:
            note(part)
            arguments.append("--\(name)")
            return false
        case .request(let part):
            let value = try Self.value(of: name, shown, attached, &rest)
            if !CurlOption.canBeRepeated(name, value) { isRepeatable = false }
            try note(part, value)
            if part != .url { arguments += ["--\(name)", value] }
            return true
        }
    }

    private static func value(
        of name: String, _ shown: String, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(CommandFailure) -> String {
        guard let value = attached ?? rest.popFirst() else { throw refusal("\(shown) needs a value") }
        guard CurlOption.texts.contains(name) || value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw refusal("\(shown) is not passed on: its value has a control character; leave out line breaks and tabs")
        }
        return value
    }

    private mutating func note(_ name: String, _ value: String) {
        if !CurlOption.canBeRepeated(name, value) { isRepeatable = false }
        guard name == "output" else { return }
        if value == "-" { printsBinaries = true } else { printsBody = false }
    }

    private mutating func note(_ part: CurlOption.RequestPart) {
        switch part {
        case .head: isHead = true
        case .get: isGet = true
        default: followsRedirects = true
        }
    }

    private mutating func note(_ part: CurlOption.RequestPart, _ value: String) throws(CommandFailure) {
        switch part {
        case .url: urls.append(try CurlURL(value))
        case .method:
            guard (1...32).contains(value.utf8.count), value.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else {
                throw Self.refusal("\(value.plain) is no method")
            }
            method = value
        case .header: try note(header: value)
        case .data(let kind): data.append(CurlData(kind: kind, text: value))
        case .retry: repeats = true
        case .upload: isUpload = true
        default: hasOtherBody = true
        }
    }

    /// Notes a header of the user's; one that identifies the caller or names the server is refused.
    private mutating func note(header: String) throws(CommandFailure) {
        guard !header.begins(with: "@") else { throw Self.refusal("-H @FILE is not passed on: the file's contents cannot be checked") }
        // `Name;` is curl's way to send a header without a value.
        let name = header.before { $0 == ":" || $0 == ";" }
        let known = String(name).keeping { $0 != " " }.lowercased()
        guard !["authorization", "proxy-authorization", "dpop", "host"].contains(known) else {
            throw Self.refusal("the header \(name.description.plain) is not passed on: it would conflict with the account's")
        }
        let value = header[name.endIndex...]
        if known == "content-type", value.begins(with: ":") { contentType = String(value.after(value.startIndex).skipping { $0 == " " }) }
    }

    private static func unknown(_ shown: String) -> CommandFailure {
        let option = OptionWord(shown).name
        let own = CurlRequest.ownOptions.contains(option)
        return refusal(
            own
                ? "\(option) is a postern option and goes first: postern curl \(option) …"
                : "\(shown.plain) is not passed on: its effect on a request with a token is unknown")
    }

    static func refusal(_ sentence: String) -> CommandFailure { CommandFailure(sentence, status: .wrongUsage) }
}
