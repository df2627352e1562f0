/// One option of a program, with all that is known of it: how it is read, and what help, completion and manual say.
public struct ProgramOption: Sendable {
    public enum Value: Sendable {
        /// An option without a value.
        case none
        case text
        case file
        case directory
        case oneOf([String])
        case integer(ClosedRange<Int>)
    }

    /// Without the two dashes.
    public let name: String
    public let value: Value
    /// How the help names the value.
    public let valueName: String
    public let help: String
    /// The default, for an option whose help does not mention it.
    public let fallback: String?
    public let isRepeating: Bool
    /// For this program's own use.
    public let isHidden: Bool
    /// Why a value is refused; nil if it is accepted.
    let problem: @Sendable (String) -> String?

    public init(
        _ name: String, _ value: Value = .none, named valueName: String? = nil, help: String = "", default fallback: String? = nil,
        isRepeating: Bool = false, isHidden: Bool = false, problem: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        self.name = name
        self.value = value
        self.valueName = valueName ?? name
        self.help = help
        self.fallback = fallback
        self.isRepeating = isRepeating
        self.isHidden = isHidden
        self.problem = problem
    }

    var takesValue: Bool { if case .none = value { false } else { true } }

    /// `--listen <address:port>`
    var synopsis: String { takesValue ? "--\(name) <\(valueName)>" : "--\(name)" }
}
