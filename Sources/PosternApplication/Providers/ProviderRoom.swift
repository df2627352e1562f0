import PosternCore

/// What this room offers to those above it: the providers, and the credentials that they issued.
@DaemonActor
final class ProviderRoom {
    let cache = CredentialCache()
    let loader: CredentialLoader
    let names: KeptNames
    let origins: CallbackOrigins
    let directory: ProviderDirectory
    let pages: PageOpener
    let endSessionPages: EndSessionPages
    let revocationRequests: RevocationRequests
    let revocation: Revocation
    let exchange: CodeExchange
    let presentedTokens: PresentedTokens
    let stepUps: StepUps

    init(
        _ ground: Ground, all: [Provider], transport: any ProviderTransport, pages launcher: any PageLaunching,
        listener: any CallbackListening
    ) {
        loader = CredentialLoader(ground, cache: cache)
        names = KeptNames(ground, loader: loader)
        origins = CallbackOrigins(listener)
        directory = ProviderDirectory(
            ground, all: all, transport: transport, registrar: ClientRegistrar(ground, origins: origins, cache: cache))
        pages = PageOpener(launcher: launcher, settings: ground.settings, platform: ground.platform)
        endSessionPages = EndSessionPages(ground, providers: directory, opener: pages, origins: origins)
        revocationRequests = RevocationRequests(ground, cache: cache, providers: directory)
        revocation = Revocation(
            ground, cache: cache, providers: directory, requests: revocationRequests, endSessionPages: endSessionPages)
        exchange = CodeExchange(ground, providers: directory, revocation: revocationRequests, loader: loader)
        presentedTokens = PresentedTokens(ground)
        stepUps = StepUps(ground, providers: directory)
    }

    /// The store was opened, and this is in it.
    ///
    /// - Parameter failed: called if the rest cannot be read.
    func storeOpened(with remains: StoreRemains, failed: @escaping @Sendable @DaemonActor (StoreError) async -> Void) {
        loader.storeOpened(with: remains.credentials, failed: failed)
        directory.registrar.restore(remains.clients)
    }

    /// The store was locked: nothing of it stays in memory.
    func storeClosed() {
        loader.storeClosed()
        revocationRequests.storeClosed()
        endSessionPages.forgetAll()
        directory.registrar.restore([])
        directory.forgetRefusals()
    }

    /// The configuration, or a secret that it names, was read again.
    func replaceAll(_ providers: [Provider]) {
        directory.replaceAll(providers)
        cache.configurationRead()
    }
}
