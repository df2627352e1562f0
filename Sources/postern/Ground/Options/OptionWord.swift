/// An option on a line whose words are another program's, in the usual form: `--account NAME` or `--account=NAME`.
struct OptionWord {
    let name: String
    /// The text after the equals sign.
    private let attached: String?

    init(_ word: String) {
        if word.begins(with: "--"), let equals = word.unicodeScalars.firstIndex(of: "=") {
            name = String(word[..<equals])
            attached = String(word.after(equals))
        } else {
            name = word
            attached = nil
        }
    }

    /// It may be a flag.
    var standsAlone: Bool { attached == nil }

    /// - Parameter rest: the words after it, of which the first is removed if it is the value.
    func value(_ rest: inout ArraySlice<String>) -> String? { attached ?? rest.popFirst() }
}
