import PosternClient

/// A word of a command that will be pasted into a shell.
enum ShellWord {
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { $0.isASCIILetter || $0.isDecimalDigit || "_-./:@%+=,".utf8.contains($0) }
        return isPlain && !word.isEmpty ? word : "'" + word.mapping { $0 == "'" ? "'\\''" : String($0) } + "'"
    }
}
