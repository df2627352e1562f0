import ArgumentParser
import Glibc
import PosternClient
import PosternInterface
import StrictJSON

/// The interface has no method that checks a provider. But a sign-in cannot begin before the daemon has read the provider's
/// metadata, over its own TLS, proxy and certificate authorities: so one is begun that opens no page, and ended at once.
/// What this cannot tell is whether the provider takes the client ID and secret; only a sign-in of a person does.
struct ProviderCheck: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Ask a provider's metadata, and say whether a sign-in could begin.",
        discussion: """
            Begins a sign-in without opening a page, and ends it. Whether the provider takes the client ID and the secret shows \
            only when a person signs in.

            EXAMPLES
              postern provider check work
            """)

    @Argument(help: "The provider, as postern provider list names it.")
    var provider: String

    @OptionGroup var common: CommonOptions

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let checked = try self.provider(named: provider, among: connection.call(ListProvidersParameters()).providers)
        guard checked.configured else {
            throw CommandFailure(
                (checked.problem ?? "its client ID or secret is missing").plain,
                advice: "postern provider show \(provider) says what goes where".plain)
        }
        let page = try beginAndEnd(over: connection)
        if common.json {
            var object = checked.object
            object.set("authorizationURL", page)
            return try StandardOutput.write(document: object)
        }
        let origin = page.flatMap(WebAddress.init)?.origin ?? "an address that is not shown"
        try StandardOutput.write(line: "\(checked.displayName): ready; its page is at \(origin)".plain)
    }

    /// - Returns: the page that a person would have seen.
    private func beginAndEnd(over connection: PosternConnection) throws -> String? {
        // An app name of its own keeps this from joining a sign-in that a person has before them.
        let question = SignInParameters(
            providerID: provider, intent: .credential, app: "postern-provider-check-\(getpid())", presentation: .client, timeoutSeconds: 60)
        var page: String?
        do {
            try connection.callMore(SignInParameters.method.name, question.object) { reply in
                let event = try PosternConnection.read(SignInReply.self, from: reply).event
                guard event.state == .authorizationPending, event.authorizationURL != nil else { return }
                page = event.authorizationURL
                let other = try connect()
                defer { other.close() }
                _ = try other.call(CancelSessionParameters(sessionID: event.sessionID))
            }
        } catch PosternError.refused(.signInCancelled) where page != nil {
            // As was asked.
        }
        return page
    }
}
