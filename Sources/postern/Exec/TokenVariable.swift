import ArgumentParser

/// `NAME=ACCOUNT`: an environment variable, and the account of its token.
struct TokenVariable: ExpressibleByArgument, Equatable {
    var name: String
    var account: String

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "=") else { return nil }
        name = String(argument[..<equals])
        account = String(argument[argument.index(after: equals)...])
        // The names that every shell can read (POSIX, section 8.1); they are also safe as file names.
        guard let first = name.utf8.first, !(0x30...0x39).contains(first), !account.isEmpty, name.utf8.count <= 255,
            name.utf8.allSatisfy({ $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) })
        else { return nil }
    }
}
