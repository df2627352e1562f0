/// `NAME=ACCOUNT`: an environment variable, and the account of its token.
struct TokenVariable: Equatable, Sendable {
    var name: String
    var account: String

    /// Nil if there is a ``problem(_:)``.
    init?(_ text: String) {
        guard Self.problem(text) == nil, let equals = text.unicodeScalars.firstIndex(of: "=") else { return nil }
        name = String(text[..<equals])
        account = String(text.after(equals))
    }

    /// Why an option's value is refused, and the form that is expected.
    static func problem(_ text: String) -> String? {
        guard let equals = text.unicodeScalars.firstIndex(of: "=") else {
            return "write NAME=ACCOUNT, a variable and whose token it gets, such as GH_TOKEN=github.com"
        }
        let name = text[..<equals]
        guard VariableName.isOne(name) else {
            return "before the equals sign goes the name of a variable: letters, digits and underscores, no digit first; such as "
                + "GH_TOKEN=github.com"
        }
        return text.after(equals).isEmpty ? "after the equals sign goes a provider or an account, such as \(name)=github.com" : nil
    }
}
