import PosternClient

/// A word of a command that will be pasted into a shell.
enum ShellWord {
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "_-./:@%+=,".utf8.contains(byte)
            }
        }
        return isPlain && !word.isEmpty ? word : "'" + word.mapping { $0 == "'" ? "'\\''" : String($0) } + "'"
    }
}
