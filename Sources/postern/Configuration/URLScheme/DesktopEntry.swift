import PosternConfiguration

/// The desktop file of a scheme's handler (Desktop Entry Specification 1.5).
struct DesktopEntry: Equatable {
    let scheme: URLScheme
    let providerID: String
    let program: String

    /// - Parameter program: an absolute path. One that needs quotes is refused: programs that read `Exec` do not agree on quoting.
    init(scheme: URLScheme, providerID: String, program: String) throws {
        guard program.begins(with: "/"), program.utf8.allSatisfy(Self.isPlain) else {
            throw CommandFailure(
                "the path of this program, \(program.plain), has characters that are not possible in a desktop file",
                advice: "install postern at a path of letters, digits and - _ . +")
        }
        if let mistake = ProviderNaming.mistake(in: providerID) {
            throw CommandFailure(
                "\(providerID.isEmpty ? "an empty text" : providerID.plain) is not a provider's name", status: .wrongUsage,
                advice: mistake.plain)
        }
        self.scheme = scheme
        self.providerID = providerID
        self.program = program
    }

    static func fileName(of scheme: URLScheme) -> String { prefix + scheme.name + suffix }

    /// The scheme whose handler has that file name; nil for files that are not ours.
    static func scheme(ofFileName name: String) -> URLScheme? {
        guard name.begins(with: prefix), name.ends(with: suffix), name.utf8.count > prefix.utf8.count + suffix.utf8.count else {
            return nil
        }
        return try? URLScheme(String(name.dropFirst(prefix.count).dropLast(suffix.count)))
    }

    private static let prefix = "postern-url-"
    private static let suffix = ".desktop"

    /// `Exec` is the program and the URL. There is no shell, and no word that the URL could become a part of.
    var text: String {
        """
        [Desktop Entry]
        Type=Application
        Name=Postern sign-in (\(providerID))
        Comment=Receives the answer of a sign-in
        NoDisplay=true
        Terminal=false
        StartupNotify=false
        Exec=\(program) %u
        MimeType=\(scheme.mimeType);
        X-Postern-Provider=\(providerID)

        """
    }

    /// The provider that our desktop file names.
    static func providerID(in text: String) -> String? { value(of: "X-Postern-Provider", in: text) }

    /// The program that our desktop file starts.
    static func program(in text: String) -> String? {
        value(of: "Exec", in: text).flatMap { $0.ends(with: " %u") ? String($0.dropLast(3)) : nil }
    }

    private static func value(of key: String, in text: String) -> String? {
        text.parts(separator: "\n").lazy.compactMap { $0.rest(after: key + "=") }.first.map(String.init)
    }

    /// Characters without a special meaning in `Exec` and in a string. Bytes of names in other scripts qualify.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isDecimalDigit || byte >= 0x80 || "/._-+@:,".utf8.contains(byte)
    }
}
