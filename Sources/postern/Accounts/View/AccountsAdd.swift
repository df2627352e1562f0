import ProgramOptions

/// `postern sign-in`, where people look for it.
struct AccountsAdd: DaemonCommand {
    static let name = "add"
    static let abstract = "Sign in to an account and keep it: the same as postern sign-in."
    static let discussion = """
        EXAMPLES
          postern accounts add github.com
          postern accounts add work --as grace
        """

    private let signIn: SignIn
    var common: CommonOptions { signIn.common }

    init(_ line: inout OptionReader) { signIn = SignIn(&line) }

    func validate() throws(UsageError) { try signIn.validate() }

    func perform() throws { try signIn.perform() }
}
