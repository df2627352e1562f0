import Glibc
import PosternClient
import ProgramOptions
import StrictJSON

/// Why a command failed: a sentence for standard error, and the exit status.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    var status: CommandStatus
    /// Empty if everything has been reported already.
    var sentence: String
    /// What to try; printed on its own line.
    var advice: String?
    /// The daemon's error.
    var reply: ErrorReply?
    /// What a sign-in has to ask for.
    var demand: SignInDemand?

    struct ErrorReply: Equatable {
        var name: String
        var parameters: JSONObject
    }

    init(_ sentence: String, status: CommandStatus = .failed, advice: String? = nil) {
        self.status = status
        self.sentence = sentence
        self.advice = advice
    }

    var description: String { sentence }
}

extension CommandFailure {
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as PosternError: self.init(error)
        case let error as InterfaceError: self.init(error)
        default: self.init("\(error)".plain)
        }
    }

    /// What an error of a call means for the command.
    init(_ error: PosternError) {
        switch error {
        case .daemonUnreachable, .daemonUnresponsive:
            self.init(error.description.plain, status: .daemonUnreachable, advice: error.advice)
        case .foreignDaemon(let path, let userID):
            self.init(
                "\(path) belongs to \(UserName.text(userID)), not to you, \(UserName.text(geteuid())); nothing was sent".plain,
                status: .daemonUnreachable, advice: error.advice)
        case .refused(let refusal):
            self.init(refusal)
        case .cancelled:
            self.init("cancelled", status: .declined)
        case .notUnderstood(let name, let parameters):
            if let wanted = Self.wanted(name, parameters) {
                self.init(wanted, status: .wrongUsage)
            } else {
                self.init(error.description.plain, advice: error.advice)
            }
            reply = ErrorReply(name: name, parameters: parameters)
        case .connectionLost, .malformedReply:
            self.init(error.description.plain, advice: error.advice)
        }
    }

    /// For a parameter that the daemon refuses and that an option sets: what is accepted, in the terms of the command line.
    private static func wanted(_ error: String, _ parameters: JSONObject) -> String? {
        guard error == "org.varlink.service.InvalidParameter" else { return nil }
        return switch parameters["parameter"]?.stringValue {
        case "app": "--app needs a name of 1 to 128 bytes, without control characters"
        case "minimumValiditySeconds": "--min-validity must be from 0s to 8760h, which is a year"
        case "resource": "--resource wants an absolute URL without a fragment, such as https://api.example.com/"
        case "account": "--account goes with a provider; the name of an account in the configuration says which one it is"
        case "scopes": "--scope wants one scope each, without control characters; a provider of OAuth 1.0a takes none"
        case "customParameters": "--param wants KEY=VALUE: a value that is not empty, without control characters, and not too many"
        case "loginHint": "--login-hint wants an address or a user name; for an account in the configuration, its login"
        case "displayName": "--name is too long, or has characters that cannot be shown"
        case "photoURL": "--photo wants an http or https URL"
        default: nil
        }
    }

    init(_ error: InterfaceError) {
        if case .providerNotFound(_, "") = error {
            self = .emptyProvider
            reply = ErrorReply(name: error.name, parameters: error.object)
            return
        }
        let (status, advice) = Self.meaning(of: error)
        self.init(error.message.plain, status: status, advice: advice?.plain)
        demand = SignInDemand(error)
        reply = ErrorReply(name: error.name, parameters: error.object)
    }

    /// The daemon's sentence says what to try; advice is only what the command line can add.
    private static func meaning(of error: InterfaceError) -> (CommandStatus, advice: String?) {
        switch error {
        case .signInDenied(_, _, let error, _) where !DenialCode.isDecision(error):
            (.failed, nil)
        case .signInDenied, .signInTimedOut, .signInCancelled:
            (.declined, nil)
        case .signInRequired, .noCurrentUser:
            (.signInNeeded, nil)
        case .scopeNotGranted, .stepUpRequired:
            (.signInNeeded, SignInDemand(error).flatMap { advice(on: $0, after: error.message) })
        case .ambiguousAccount(let message, let uids):
            (.failed, AccountNaming.isDecided(by: message) ? nil : AccountNaming.advice(of: nil, uids: uids))
        default:
            (.failed, nil)
        }
    }
}

extension CommandFailure {
    /// Nil if there is nothing to ask for, or if the sentence has the command.
    private static func advice(on demand: SignInDemand, after sentence: String) -> String? {
        let options = words(demand.options())
        return options.isEmpty || sentence.holds(signInCommand) ? nil : "sign in again with: \(options)"
    }

    /// How the command begins in a sentence of the daemon.
    private static var signInCommand: String { "`postern sign-in " }

    /// A question has to be asked, but there is nobody to answer it: the command line should have.
    ///
    /// - Parameter purpose: follows "there is no terminal to".
    static func noTerminal(to purpose: String, advice: String) -> CommandFailure {
        CommandFailure("there is no terminal to \(purpose)", status: .wrongUsage, advice: advice)
    }

    /// A word of the command line is empty, as an unset variable in a script makes it.
    ///
    /// - Parameter what: the subject of the sentence.
    static func empty(_ what: String, advice: String) -> CommandFailure {
        CommandFailure("\(what) is empty", status: .wrongUsage, advice: advice)
    }

    static let emptyProvider = empty("the provider's name", advice: "postern provider list shows the providers")
}

extension CommandFailure {
    /// If there are several accounts: the failure for a command that has an option to choose one.
    ///
    /// - Parameter kept: those of the accounts that are known; each is offered by its name or address.
    func offeringAccounts(_ kept: @autoclosure () -> [Interface.StoredCredential]) -> CommandFailure {
        guard let uids = rivals, !uids.isEmpty else { return self }
        let rivals = kept().filter { uids.contains($0.uid) }
        let words = uids.map { uid in
            let names = Set(rivals.filter { $0.uid == uid }.map(AccountText.name))
            // Another account may have the same address, and another provider the same identifier.
            guard names.count == 1, let name = names.first, rivals.count(where: { $0.isCalled(name) }) == 1 else { return uid }
            return name
        }
        return advising("choose one with: \(words.map { "--account \(ShellWord.quoted($0))" }.joined(separator: ", "))")
    }

    /// The failure for a command that takes a name, and has no such option.
    ///
    /// - Parameters:
    ///   - name: the given name; nil if there was none.
    ///   - use: what to do with the name if none was given.
    func namingAccounts(of name: String?, use: String = "use NAME") -> CommandFailure {
        guard let uids = rivals, !AccountNaming.isDecided(by: sentence) else { return self }
        return advising(AccountNaming.advice(of: name, uids: uids, use: use))
    }

    func advising(_ advice: String?) -> CommandFailure {
        var failure = self
        failure.advice = advice?.plain
        return failure
    }

    /// The identifiers, if there are several accounts.
    var rivals: [String]? {
        guard reply?.name.ends(with: ".AmbiguousAccount") == true else { return nil }
        return reply?.parameters["uids"]?.arrayValue?.compactMap(\.stringValue)
    }
}

/// The exit status of a command, for scripts.
enum CommandStatus: Int32 {
    case done = 0
    /// The reason is on standard error.
    case failed = 1
    /// The user declined or cancelled, or the time ran out.
    case declined = 2
    /// Nothing usable is stored; run `postern sign-in` first.
    case signInNeeded = 3
    case daemonUnreachable = 4
    /// `EX_USAGE` of sysexits.h.
    case wrongUsage = 64

    /// The name in a document, if none of the daemon's errors applies.
    var name: String {
        switch self {
        case .done: "done"
        case .failed: "failed"
        case .declined: "declined"
        case .signInNeeded: "signInNeeded"
        case .daemonUnreachable: "daemonUnreachable"
        case .wrongUsage: "wrongUsage"
        }
    }
}

extension CommandFailure {
    /// For programs. `error` is the daemon's name for it, or this command's own.
    var document: JSONObject {
        var document: JSONObject = ["error": .string(reply?.name ?? status.name), "message": .string(sentence)]
        if let advice { document["advice"] = .string(advice) }
        document["status"] = .integer(Int64(status.rawValue))
        if let reply { document["parameters"] = .object(reply.parameters) }
        return document
    }

    /// Suggests a name if the daemon does not know the given provider: that of the account with this address or identifier, or a similar
    /// one.
    func suggesting(at socketPath: String) -> CommandFailure {
        guard advice == nil, reply?.name.ends(with: ".ProviderNotFound") == true, let given = reply?.parameters["providerID"]?.stringValue
        else { return self }
        let providers =
            (try? PosternConnection.call(Interface.ListProviders(), at: socketPath, timeoutMilliseconds: 2000).providers) ?? []
        let accounts = NamesFile()?.list.accounts ?? []
        if let advice = AccountNaming.advice(called: given, among: Self.credentials(at: socketPath)) { return advising(advice) }
        // Of two equally similar names, the one that can be used.
        let names = providers.filter(\.configured).map(\.providerID) + accounts + providers.map(\.providerID)
        guard let meant = Suggestion.closest(to: given, among: names) else { return self }
        return advising("did you mean \(meant)?")
    }
}

extension CommandFailure {
    /// Adds the complete command that obtains what is missing.
    ///
    /// - Parameter name: that of the provider, or of an account in the configuration.
    func askingForScopes(of name: String, account: String?, at socketPath: String) -> CommandFailure {
        guard let demand, !demand.options().isEmpty, !sentence.holds(Self.signInCommand) else { return self }
        let signIn = Self.signIn(to: name, account: account, demand: demand, kept: Self.credentials(at: socketPath))
        return advising("to be asked for it: \(signIn)")
    }

    static func credentials(at socketPath: String) -> [Interface.StoredCredential] {
        (try? PosternConnection.call(Interface.ListCredentials(), at: socketPath, timeoutMilliseconds: 2000).credentials) ?? []
    }

    static func signIn(to name: String, account: String?, demand: SignInDemand, kept: [Interface.StoredCredential]) -> String {
        let mine = kept.filter { credential in
            guard [credential.providerID, credential.account].contains(name) else { return false }
            return account.map(credential.isCalled) ?? true
        }
        let options = demand.options(besides: mine.count == 1 ? mine[0].scopes : [])
        var words = ShellWord.quoted(name)
        if let account {
            words =
                mine.count == 1
                ? AccountText.words(for: mine[0], among: kept, option: "--login-hint")
                : words + " --login-hint \(ShellWord.quoted(account))"
        }
        return "postern sign-in \(words) \(Self.words(options))"
    }

    private static func words(_ options: [String]) -> String { options.map(ShellWord.quoted).joined(separator: " ") }
}

/// How a failure is reported.
enum Report {
    /// - Parameter json: whether to write a document on standard output as well, if a program expects one and has received none yet.
    static func write(_ failure: CommandFailure, json: Bool = false) {
        if json, !StandardOutput.hasDocument { try? StandardOutput.write(document: failure.document) }
        guard !failure.sentence.isEmpty else { return }
        StandardError.tell("postern: " + failure.sentence)
        if let advice = failure.advice { StandardError.write(line: "  " + advice) }
    }
}
