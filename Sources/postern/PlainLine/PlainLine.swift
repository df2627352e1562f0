/// The words of a plain command line, after the command's name: a command removes those that it knows; if any are left, the argument parser
/// reads the line.
///
/// A line is plain if it can be read in only one way: an option and its value are two words, no value begins with a dash, nothing occurs
/// twice that may occur once.
struct PlainLine {
    private var words: [String]
    /// Replaces a word that was removed, so that its neighbours do not become adjacent: in `--socket --account ada github` the socket has
    /// no value. No argument contains a NUL.
    private static let taken = "-\0"
    /// The words after two dashes; nil without them.
    private var rest: [String]?
    private var isPlain = true

    init(_ arguments: ArraySlice<String>) {
        let dashes = arguments.firstIndex(of: "--") ?? arguments.endIndex
        words = Array(arguments[..<dashes])
        if dashes < arguments.endIndex { rest = Array(arguments[(dashes + 1)...]) }
    }

    /// Whether every word was removed.
    var isRead: Bool { isPlain && rest == nil && words.allSatisfy { $0 == Self.taken } }

    mutating func flag(_ name: String) -> Bool {
        guard let index = words.firstIndex(of: name) else { return false }
        words[index] = Self.taken
        return true
    }

    mutating func option(_ name: String) -> String? {
        guard let index = words.firstIndex(of: name) else { return nil }
        words[index] = Self.taken
        guard index + 1 < words.count, !words[index + 1].begins(with: "-") else {
            isPlain = false
            return nil
        }
        defer { words[index + 1] = Self.taken }
        return words[index + 1]
    }

    /// An option with its own type. If the value is wrong, the argument parser reads the line and reports the error.
    mutating func option<Value>(_ name: String, _ value: (String) -> Value?) -> Value? {
        guard let word = option(name) else { return nil }
        guard let value = value(word) else {
            isPlain = false
            return nil
        }
        return value
    }

    /// A required option.
    mutating func requiredOption(_ name: String) -> String {
        guard let value = option(name) else {
            isPlain = false
            return ""
        }
        return value
    }

    /// An option that may be repeated.
    mutating func options<Value>(_ name: String, _ value: (String) -> Value?) -> [Value] {
        var values: [Value] = []
        while let value = option(name, value) { values.append(value) }
        return values
    }

    /// The next word that does not belong to an option; call it after the options have been removed.
    mutating func optionalArgument() -> String? {
        guard let index = words.firstIndex(where: { $0 != Self.taken }), !words[index].begins(with: "-") else { return nil }
        defer { words[index] = Self.taken }
        return words[index]
    }

    /// A required argument.
    mutating func argument() -> String {
        guard let word = optionalArgument() else {
            isPlain = false
            return ""
        }
        return word
    }

    /// An argument with its own type.
    mutating func argument<Value>(_ value: (String) -> Value?) -> Value? {
        let value = value(argument())
        if value == nil { isPlain = false }
        return value
    }

    /// The argument parser reports what is wrong with a group of options.
    mutating func check(_ validate: () throws -> Void) {
        do { try validate() } catch { isPlain = false }
    }

    /// The words after two dashes: another program's command line.
    mutating func argumentsBehindDashes() -> [String] {
        defer { rest = nil }
        return rest ?? []
    }
}
