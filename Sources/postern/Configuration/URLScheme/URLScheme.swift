/// The name of a custom URL scheme, suitable for a file name and a desktop file.
struct URLScheme: Equatable, Sendable {
    let name: String

    /// Accepts what the daemon accepts in `redirect-uri`: RFC 3986 section 3.1 in lower case, with a full stop or a hyphen in it. A single
    /// word belongs to nobody (RFC 8252 section 7.1), and a handler for `https` or `mailto` would take over the user's browser or mail.
    init(_ text: String) throws {
        // As copied from a redirect URI.
        let text = text.ends(with: ":") ? String(text.dropLast()) : text
        guard !text.isEmpty else { throw CommandFailure.empty("the scheme", advice: "it is the part of the callback URL before the colon") }
        guard Self.isScheme(text), text.utf8.contains(where: { "-.".utf8.contains($0) }), !Self.taken.contains(text),
            !text.ends(with: "-extension"), !text.begins(with: "web+")
        else {
            throw CommandFailure(
                "\(text.plain) cannot be an application's own scheme", status: .wrongUsage,
                advice: "use your domain reversed, such as com.example.app: a to z, 0 to 9, +, - and full stops")
        }
        name = text
    }

    var mimeType: String { "x-scheme-handler/\(name)" }

    private static let taken = ["view-source", "chrome-untrusted", "chrome-error", "x-scheme-handler"]

    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first, text.utf8.count <= 64 else { return false }
        return text.utf8.allSatisfy { 0x61...0x7A ~= $0 || $0.isDecimalDigit || "+-.".utf8.contains($0) }
    }
}

/// A command line that consists of one URL: that of a custom scheme's handler.
///
/// No command or option has a colon after its first letters, so it is not ambiguous.
struct URLArgument: Equatable {
    let text: String

    init?(_ arguments: [String]) {
        guard arguments.count == 1, let text = arguments.first, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text.utf8[..<colon]
        guard scheme.first?.isASCIILetter == true,
            scheme.allSatisfy({ $0.isASCIILetter || $0.isDecimalDigit || "+-.".utf8.contains($0) })
        else { return nil }
        self.text = text
    }
}
