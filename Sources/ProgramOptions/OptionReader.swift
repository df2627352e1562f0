/// Declares the options of a command, and gives their values.
///
/// A command's initialiser asks for each of its options once. The first time nothing has been read, and the answers are only placeholders
/// of the right type; what was asked is the command's table. The second time the answers are what the user wrote.
public struct OptionReader {
    public typealias Value = ProgramOption.Value
    public typealias Problem = @Sendable (String) -> String?

    private(set) var options: [ProgramOption] = []
    /// Nil while the options are only collected.
    private let values: OptionValues?

    init(_ values: OptionValues? = nil) { self.values = values }

    private mutating func given(_ option: ProgramOption) -> [String]? {
        guard let values else {
            options.append(option)
            return nil
        }
        return values[option]
    }

    // MARK: Options

    public mutating func flag(_ name: String, _ letter: Unicode.Scalar? = nil, help: String) -> Bool {
        given(ProgramOption(name, help: help, letter: letter, ifEmpty: nil)) != nil
    }

    /// A flag that is on, unless `--no-name` is given.
    public mutating func flagWithOpposite(_ name: String, help: String) -> Bool {
        given(ProgramOption(name, help: help, default: "--\(name)", hasOpposite: true, ifEmpty: nil))?.last
            != "--no-\(name)"
    }

    /// - Parameters:
    ///   - ifEmpty: what is said of an empty value, behind the name; nil if it is a value, too.
    ///   - problem: why a value is refused; nil if it is accepted.
    public mutating func option(
        _ name: String, _ value: Value = .text, named valueName: String, help: String, ifEmpty: String? = nil,
        problem: @escaping Problem = { _ in nil }
    ) -> String? {
        given(ProgramOption(name, value, named: valueName, help: help, ifEmpty: ifEmpty, problem: problem))?.last
    }

    public mutating func option(
        _ name: String, _ value: Value = .text, named valueName: String, default fallback: String, help: String
    ) -> String {
        given(ProgramOption(name, value, named: valueName, help: help, default: fallback, ifEmpty: nil))?.last ?? fallback
    }

    public mutating func requiredOption(
        _ name: String, _ value: Value = .text, named valueName: String, help: String, ifEmpty: String? = nil
    ) -> String {
        given(ProgramOption(name, value, named: valueName, help: help, isRequired: true, ifEmpty: ifEmpty))?.last ?? ""
    }

    /// An option that may be repeated.
    public mutating func options(
        _ name: String, _ value: Value = .text, named valueName: String, help: String, ifEmpty: String? = nil,
        problem: @escaping Problem = { _ in nil }
    ) -> [String] {
        given(ProgramOption(name, value, named: valueName, help: help, isRepeating: true, ifEmpty: ifEmpty, problem: problem)) ?? []
    }

    public mutating func integer(_ name: String, _ range: ClosedRange<Int>, named valueName: String, help: String) -> Int? {
        given(ProgramOption(name, .integer(range), named: valueName, help: help, ifEmpty: nil))?.last.flatMap { Int($0) }
    }

    /// All words behind it, which are another program's.
    public mutating func lastOption(_ name: String, named valueName: String, help: String) -> [String] {
        given(ProgramOption(name, .text, named: valueName, help: help, form: .lastOption, isRepeating: true, ifEmpty: nil)) ?? []
    }

    // MARK: Arguments

    public mutating func argument(_ name: String, _ value: Value = .text, help: String) -> String {
        given(ProgramOption(name, value, help: help, form: .argument, isRequired: true, ifEmpty: nil))?.last ?? ""
    }

    public mutating func optionalArgument(_ name: String, _ value: Value = .text, help: String) -> String? {
        given(ProgramOption(name, value, help: help, form: .argument, ifEmpty: nil))?.last
    }

    /// All further words that are no options; the last argument.
    public mutating func arguments(_ name: String, _ value: Value = .text, help: String) -> [String] {
        given(ProgramOption(name, value, help: help, form: .argument, isRepeating: true, ifEmpty: nil)) ?? []
    }

    /// All further words, which are another program's.
    public mutating func allWords(_ name: String, help: String) -> [String] {
        given(ProgramOption(name, .text, help: help, form: .allWords, isRepeating: true, ifEmpty: nil)) ?? []
    }

    public mutating func wordsBehindDashes(_ name: String, help: String) -> [String] {
        given(ProgramOption(name, .text, help: help, form: .wordsBehindDashes, isRepeating: true, ifEmpty: nil)) ?? []
    }
}
