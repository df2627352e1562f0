import Glibc
import PosternClient

/// curl's runs for one call of `postern curl`: a request that was refused is sent again if the daemon, or the user, has what the server
/// demands. What it demands is for the daemon to read.
struct CurlExchange {
    /// How often what the daemon has is tried. A sign-in adds one.
    private static let most = 2
    /// Milliseconds for the daemon to ask a provider.
    private static let patience: Int64 = 30_000

    private let request: CurlRequest
    private let curl: String
    private var authorization: CurlAuthorization
    private var tries = 0
    /// The server's, as far as a proof had one.
    private var nonce: String?
    /// Exists since a sign-in: it got the signals from then on.
    private var dialogue: AccountDialogue?
    /// The signals that were blocked at the start.
    private var mask = sigset_t()

    init(_ request: CurlRequest, curl: String, _ authorization: CurlAuthorization) {
        (self.request, self.curl, self.authorization) = (request, curl, authorization)
        pthread_sigmask(SIG_BLOCK, nil, &mask)
    }

    /// Ends as curl does.
    mutating func perform() throws -> Never {
        // A reader that is gone is curl's to report.
        signal(SIGPIPE, SIG_IGN)
        while true {
            let holdsRefusals = request.line.canBeSentAgain && (tries < Self.most || mayStepUp)
            let run = try CurlRun(
                curl, request.line, holdsRefusals: holdsRefusals, mask: mask, interrupts: dialogue?.interrupts, settings: settings)
            var failure: CommandFailure?
            if holdsRefusals, run.isRefused() {
                do {
                    if try isRemedied(run.response) {
                        run.discard()
                        continue
                    }
                } catch { failure = CommandFailure(error) }
            }
            let ending = try run.finish()
            if !holdsRefusals, case .exited = ending, run.response.isRefusal {
                // The next call has what can be had without the user.
                do { _ = try renewed(after: run.response) } catch { failure = CommandFailure(error) }
            }
            if let failure { Report.write(advised(failure)) }
            ending.passOn()
        }
    }

    /// Whether there is something else to send.
    private mutating func isRemedied(_ refusal: CurlHead) throws -> Bool {
        do {
            guard let next = try renewed(after: refusal), tries < Self.most else { return false }
            authorization = next
        } catch PosternError.refused(let error) where mayStepUp {
            guard case .stepUpRequired(_, let providerID, _, _, _) = error, let demand = SignInDemand(error) else {
                throw PosternError.refused(error)
            }
            try signIn(providerID, demand, refusal.challenges)
            authorization = try CurlAuthorization(ask(after: refusal, isNews: false))
        }
        tries += 1
        nonce = refusal.nonce
        return true
    }

    /// The headers with which the request may succeed; nil if the daemon has none but those that were refused.
    private func renewed(after refusal: CurlHead) throws -> CurlAuthorization? {
        let next = try CurlAuthorization(ask(after: refusal))
        // The token is not the only thing that a proof may be refused for.
        let hasNewNonce = authorization.isProof && refusal.isUnauthorized && refusal.nonce != nil && refusal.nonce != nonce
        return hasNewNonce || next.token != authorization.token ? next : nil
    }

    /// - Parameter isNews: whether the daemon has not heard of the refusal yet.
    private func ask(after refusal: CurlHead, isNews: Bool = true) throws -> Interface.AuthorizeRequest.Reply {
        var parameters = request.parameters(for: request.line.urls[0])
        if authorization.isProof { parameters.dpopNonce = refusal.nonce }
        if isNews {
            parameters.challenge = refusal.challenges
            // Whether it was the token or the proof that was refused is in the challenge.
            if refusal.isUnauthorized, !authorization.isProof || refusal.challenges.isEmpty { parameters.forceRefresh = true }
        }
        return try PosternConnection.call(parameters, at: request.socketPath, timeoutMilliseconds: Self.patience)
    }

    // MARK: Stepping up

    /// Once, where the user sees what is asked for.
    private var mayStepUp: Bool { request.stepsUp && dialogue == nil && Terminal.current.showsWords }

    private mutating func signIn(_ providerID: String, _ demand: SignInDemand, _ challenges: [String]) throws {
        let kept = CommandFailure.credentials(at: request.socketPath)
        let mine = kept.first { $0.providerID == providerID && $0.uid == authorization.uid }
        let hasRivals = kept.contains { $0.providerID == providerID && $0.uid != authorization.uid }
        let name = mine?.account ?? providerID
        let dialogue = try AccountDialogue(common: CommonOptions(socket: request.socket), demand: demand)
        self.dialogue = dialogue
        let parameters = Interface.SignIn(
            providerID: name, intent: .keep, loginHint: mine?.account == nil && hasRivals ? mine.map(AccountText.name) : nil,
            challenge: challenges)
        _ = try dialogue.prove(.provider(parameters), .keep)
    }

    /// With the command that helps, where it is not in the sentence.
    private func advised(_ failure: CommandFailure) -> CommandFailure {
        guard failure.demand != nil else { return failure }
        guard failure.reply?.name.ends(with: ".StepUpRequired") == true else { return failure.advising(nil) }
        guard !request.line.canBeSentAgain || dialogue != nil else {
            return failure.advising("to sign in at once, on a terminal: postern curl --step-up …")
        }
        let kept = CommandFailure.credentials(at: request.socketPath)
        let mine = kept.first { $0.providerID == authorization.providerID && $0.uid == authorization.uid }
        return failure.askingForScopes(
            of: mine?.account ?? authorization.providerID, account: mine?.account == nil ? authorization.uid : nil, at: request.socketPath)
    }

    /// A pipe with the settings, which only curl can read: they are in no argument and no file.
    private func settings(head: String) throws(CommandFailure) -> Int32 {
        // A proxy of the environment would see the headers of unencrypted requests, which are only sent to this machine.
        let settings = authorization.settings(withoutProxy: !request.line.urls.allSatisfy(\.isEncrypted), head: head)
        // A pipe holds 64 KiB without a reader.
        guard settings.utf8.count < 60_000 else { throw CommandFailure("the authorization is too long for curl") }
        let pipe = try PipeEnds(blocking: true)
        guard FileDescriptorWriter.writeAll(Array(settings.utf8), to: pipe.writeEnd) else {
            throw CommandFailure("the settings could not be passed to curl")
        }
        close(pipe.writeEnd)
        return pipe.readEnd
    }
}
