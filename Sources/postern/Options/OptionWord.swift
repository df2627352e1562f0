/// An option on a line that goes past the argument parser, written as elsewhere: `--account NAME` or `--account=NAME`.
struct OptionWord {
    let name: String
    /// What stands behind the equals sign.
    private let attached: String?

    init(_ word: String) {
        if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
            name = String(word[..<equals])
            attached = String(word[word.index(after: equals)...])
        } else {
            name = word
            attached = nil
        }
    }

    /// It may be a flag.
    var standsAlone: Bool { attached == nil }

    /// - Parameter rest: the words behind it, of which the first one is taken if it is the value.
    func value(_ rest: inout ArraySlice<String>) -> String? { attached ?? rest.popFirst() }
}
