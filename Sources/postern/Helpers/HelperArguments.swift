/// Arguments that the user put into another program's configuration.
enum HelperArguments {
    /// `--account NAME`, which may stand before what the other program adds.
    ///
    /// - Returns: nil if the option stands there without a name, or another option.
    static func account(_ arguments: [String]) -> (account: String?, rest: [String])? {
        var account: String?
        var rest = arguments[...]
        while let option = rest.first, option.hasPrefix("-") {
            rest.removeFirst()
            guard option == "--account", account == nil, let name = rest.popFirst(), !name.isEmpty else { return nil }
            account = name
        }
        return (account, Array(rest))
    }
}
