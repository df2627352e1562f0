import PosternCore
import PosternInterface
import StrictJSON
import Varlink

/// Answers the calls of `io.postern`. Each room carries out the methods of its section of the description.
@DaemonActor
final class InterfaceService {
    let providerMethods: ProviderService
    let signInMethods: SignInService
    let accountMethods: AccountService
    let tokenMethods: TokenService
    let serviceMethods: DaemonService
    private let loader: CredentialLoader
    private let platform: Platform

    init(
        providers: ProviderService, signIn: SignInService, accounts: AccountService, tokens: TokenService, service: DaemonService,
        loader: CredentialLoader, platform: Platform
    ) {
        providerMethods = providers
        signInMethods = signIn
        accountMethods = accounts
        tokenMethods = tokens
        serviceMethods = service
        self.loader = loader
        self.platform = platform
    }

    /// Ends with exactly one final reply or error through `reply`, now or later.
    func answer(_ call: VarlinkCall, reply: any InterfaceReply) {
        guard let method = Interface.Method(name: call.method) else { return reply.fail(.noMethod(call.method)) }
        do throws(InterfaceError) {
            if let last = try answerAtOnce(method, call.parameters) { return reply.send(last, continues: false) }
        } catch { return reply.fail(error) }
        CallRunner(work: platform.work).run(method, reply) { () throws(InterfaceError) in
            try await self.answer(method, call.parameters, reply: reply)
        }
    }

    /// Answers frequent calls without a task if the answer is in memory.
    ///
    /// - Returns: nil if something has to be waited for, or for any other method.
    private func answerAtOnce(_ method: Interface.Method, _ parameters: JSONObject) throws(InterfaceError) -> (any JSONMembers)? {
        guard !platform.isEnding, !serviceMethods.storeLock.mayOpen else { return nil }
        switch method {
        case .getAccessToken, .getIDToken, .authorizeRequest:
            return try known { () throws(InterfaceError) in try tokenMethods.stored(method, parameters) }
        case .getStatus:
            _ = try Interface.GetStatus.read(parameters)
            return serviceMethods.status.known()
        default: return nil
        }
    }

    /// The result of a decision; nil if some of what it needs has yet to be read.
    private func known<Value>(_ decision: () throws(InterfaceError) -> Value?) throws(InterfaceError) -> Value? {
        guard !loader.cache.isComplete else { return try decision() }
        var result: Result<Value?, InterfaceError> = .success(nil)
        let missing = loader.cache.missing {
            do throws(InterfaceError) { result = .success(try decision()) } catch { result = .failure(error) }
        }
        return missing == nil ? try result.get() : nil
    }

    /// Reads the parameters of a call, and makes sure that what its method needs is there.
    func prepared<Call: MethodParameters>(_ parameters: JSONObject) async throws(InterfaceError) -> Call {
        guard !platform.isEnding else { throw .ending }
        let call = try Call.read(parameters)
        let needs = Call.method.needs
        let storeLock = serviceMethods.storeLock
        if !needs.isDisjoint(with: [.store, .opening]), storeLock.mayOpen { await storeLock.tryAgain() }
        if needs.contains(.client) { await serviceMethods.configuration.lookAtSecrets() }
        if needs.contains(.store) { try storeLock.store.require() }
        return call
    }
}
