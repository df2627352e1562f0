/// The words of a plain command line, behind the command's own: a command takes off what it knows, and what it leaves is the argument parser's.
///
/// Plain is what can be read in one way only: an option and its value are two words, no value begins with a dash, nothing stands twice that
/// is wanted once.
struct PlainLine {
    private var words: [String]
    /// Stands in the place of a word that was taken off, so that its neighbours do not become neighbours of each other: in
    /// `--socket --account ada github` the socket has no value. No argument has a NUL in it.
    private static let taken = "-\0"
    /// What stands behind two dashes; nil without them.
    private var rest: [String]?
    private var isPlain = true

    init(_ arguments: ArraySlice<String>) {
        let dashes = arguments.firstIndex(of: "--") ?? arguments.endIndex
        words = Array(arguments[..<dashes])
        if dashes < arguments.endIndex { rest = Array(arguments[(dashes + 1)...]) }
    }

    /// Whether everything was taken off.
    var isRead: Bool { isPlain && rest == nil && words.allSatisfy { $0 == Self.taken } }

    mutating func flag(_ name: String) -> Bool {
        guard let index = words.firstIndex(of: name) else { return false }
        words[index] = Self.taken
        return true
    }

    mutating func option(_ name: String) -> String? {
        guard let index = words.firstIndex(of: name) else { return nil }
        words[index] = Self.taken
        guard index + 1 < words.count, !words[index + 1].hasPrefix("-") else {
            isPlain = false
            return nil
        }
        defer { words[index + 1] = Self.taken }
        return words[index + 1]
    }

    /// Of an option with a type of its own. A value that is wrong makes the line one for the argument parser, which says what is wrong with it.
    mutating func option<Value>(_ name: String, _ value: (String) -> Value?) -> Value? {
        guard let word = option(name) else { return nil }
        guard let value = value(word) else {
            isPlain = false
            return nil
        }
        return value
    }

    /// Of an option that a command cannot do without.
    mutating func requiredOption(_ name: String) -> String {
        guard let value = option(name) else {
            isPlain = false
            return ""
        }
        return value
    }

    /// Of an option that may be repeated.
    mutating func options<Value>(_ name: String, _ value: (String) -> Value?) -> [Value] {
        var values: [Value] = []
        while let value = option(name, value) { values.append(value) }
        return values
    }

    /// The next word that is no option's; asked for when the options have been taken off.
    mutating func optionalArgument() -> String? {
        guard let index = words.firstIndex(where: { $0 != Self.taken }), !words[index].hasPrefix("-") else { return nil }
        defer { words[index] = Self.taken }
        return words[index]
    }

    /// Of a command that needs one.
    mutating func argument() -> String {
        guard let word = optionalArgument() else {
            isPlain = false
            return ""
        }
        return word
    }

    /// Of an argument with a type of its own.
    mutating func argument<Value>(_ value: (String) -> Value?) -> Value? {
        let value = value(argument())
        if value == nil { isPlain = false }
        return value
    }

    /// What is wrong with a group of options is the argument parser's to say.
    mutating func check(_ validate: () throws -> Void) {
        do { try validate() } catch { isPlain = false }
    }

    /// What stands behind two dashes: another program's words.
    mutating func argumentsBehindDashes() -> [String] {
        defer { rest = nil }
        return rest ?? []
    }
}
