/// Arguments that the user wrote into another program's configuration.
enum HelperArguments {
    /// `--account NAME`, which may precede what the other program adds.
    ///
    /// - Returns: nil if the option is given without a name, or if there is another option.
    static func account(_ arguments: [String]) -> (account: String?, rest: [String])? {
        var account: String?
        var rest = arguments[...]
        while let word = rest.first, word.begins(with: "-") {
            rest.removeFirst()
            let option = OptionWord(word)
            guard option.name == "--account", account == nil, let name = option.value(&rest), !name.isEmpty else { return nil }
            account = name
        }
        return (account, Array(rest))
    }
}
