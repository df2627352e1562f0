/// The name of an environment variable.
enum VariableName {
    /// The names that every shell can read (POSIX, section 8.1); they are also safe as file names.
    static func isOne(_ name: some StringProtocol) -> Bool {
        guard let first = name.utf8.first, !(0x30...0x39).contains(first), name.utf8.count <= 255 else { return false }
        return name.utf8.allSatisfy { $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) }
    }

    /// From a name in the configuration, or from a host's: `github.com` gives `GITHUB_COM`.
    static func from(_ text: some StringProtocol) -> String {
        var name = text.uppercased().mapping { scalar in
            ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar) ? String(scalar) : "_"
        }
        if name.utf8.first.map({ (0x30...0x39).contains($0) }) ?? true { name = "_" + name }
        return name
    }
}
