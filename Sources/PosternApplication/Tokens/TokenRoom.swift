import PosternCore

/// What this room offers to those above it: tokens of the stored credentials, and what their states are.
@DaemonActor
final class TokenRoom {
    let states: CredentialStates
    let accessTokens: AccessTokens
    let refusedTokens: RefusedTokens
    let imports: CredentialImports
    let attention: Attention
    let fresh: FreshAccounts

    init(
        _ ground: Ground, providers: ProviderRoom, signIns: any SignInStarting, board: any NoticeBoard, commands: any CommandRunning,
        languages: PersonLanguages
    ) {
        states = CredentialStates(ground, cache: providers.cache, providers: providers.directory)
        accessTokens = AccessTokens(ground, providers: providers, states: states)
        refusedTokens = RefusedTokens(ground, providers: providers, accessTokens: accessTokens, states: states)
        imports = CredentialImports(ground, providers: providers)
        attention = Attention(
            ground, board: board, commands: commands, signIns: signIns, providers: providers.directory, languages: languages)
        fresh = FreshAccounts(
            tokens: accessTokens, states: states, cache: providers.cache, providers: providers.directory, platform: ground.platform)
        states.attention = attention
        states.fresh = fresh
    }

    /// The store was locked: nothing of it stays in memory.
    func storeClosed() {
        states.storeClosed()
        accessTokens.forgetAll()
        imports.forgetAll()
    }
}
