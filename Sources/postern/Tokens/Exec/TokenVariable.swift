import ArgumentParser

/// `NAME=ACCOUNT`: an environment variable, and the account of its token.
struct TokenVariable: Equatable, Sendable {
    var name: String
    var account: String

    init?(_ text: String) { try? self.init(option: text) }

    /// As the value of an option.
    ///
    /// - Throws: what is wrong with it, and the form that is expected.
    init(option: String) throws {
        guard let equals = option.unicodeScalars.firstIndex(of: "=") else {
            throw ValidationError("write NAME=ACCOUNT, a variable and whose token it gets, such as GH_TOKEN=github.com")
        }
        name = String(option[..<equals])
        account = String(option.after(equals))
        // The names that every shell can read (POSIX, section 8.1); they are also safe as file names.
        guard let first = name.utf8.first, !(0x30...0x39).contains(first), name.utf8.count <= 255,
            name.utf8.allSatisfy({ $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) })
        else {
            throw ValidationError(
                "before the equals sign goes the name of a variable: letters, digits and underscores, no digit first; "
                    + "such as GH_TOKEN=github.com")
        }
        guard !account.isEmpty else {
            throw ValidationError("after the equals sign goes a provider or an account, such as \(name)=github.com")
        }
    }
}
