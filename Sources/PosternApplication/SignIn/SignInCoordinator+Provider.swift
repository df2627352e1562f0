import PosternCore

/// Requests to providers for a sign-in. Each exchange ends with an event.
extension SignInCoordinator {
    // MARK: Before the person

    /// Obtains the page's URL, or a code.
    func prepare(_ secrets: FlowSecrets, by flow: ProviderFlow, _ ticket: SignInTicket) async {
        var session = ticket.session
        var binding = session.binding
        do throws(ProviderFailure) {
            guard let configured = providers.directory.beginning(session) else {
                throw unbound(session) ?? .internal(message: "the provider changed in the meantime")
            }
            let (provider, redirectURI) = try await providers.directory.withClient(configured, redirectURI: session.redirectURI)
            binding = provider.binding
            session.redirectURI = redirectURI
            let way: PreparedWay =
                switch flow {
                case .browser: .page(try await providers.exchange.makePage(for: session, secrets, at: provider))
                case .device: .code(try await providers.exchange.deviceAuthorization(for: session, of: provider))
                }
            happened { $0.prepared(ticket, way, binding: binding, redirectURI: redirectURI, now: $1) }
        } catch {
            await providers.directory.failed(error, with: binding, at: session.request.providerID)
            happened(to: ticket) { $0.fail(.provider(error), now: $1) }
        }
    }

    /// After a restart the URL is lost, because only a hash of its state is stored, and a provider soon forgets a pushed request.
    func makePage(_ renewal: PageRenewal) async {
        let session = renewal.ticket.session
        do throws(ProviderFailure) {
            let provider = try providers.directory.provider(session.request.providerID, boundTo: session.binding)
            let made = try await providers.exchange.makePage(for: session, renewal.secrets, at: provider, keepsToken: renewal.isOfKeptToken)
            happened { $0.pageMade(made, for: renewal, now: $1) }
        } catch {
            happened(to: renewal.ticket) { $0.pageNotMade(renewal, error, now: $1) }
        }
    }

    func getCode(_ ticket: SignInTicket) async {
        let session = ticket.session
        do throws(ProviderFailure) {
            let provider = try providers.directory.provider(session.request.providerID, boundTo: session.binding)
            let device = try await providers.exchange.deviceAuthorization(for: session, of: provider)
            happened(to: ticket) { signIn, _ in signIn.codeGiven(device) }
        } catch {
            await providers.directory.failed(error, with: session.binding, at: session.request.providerID)
            happened(to: ticket) { signIn, _ in signIn.codeNotGiven(error) }
        }
    }

    // MARK: After the person

    func poll(_ poll: DevicePoll) async {
        let session = poll.ticket.session
        do throws(ProviderFailure) {
            let answer = try await providers.exchange.deviceAnswer(to: poll)
            if case .failed(let failure) = answer {
                await providers.directory.failed(failure, with: session.binding, at: session.request.providerID)
            }
            happened(to: poll.ticket) { $0.pollAnswered(answer, now: $1) }
        } catch {
            happened(to: poll.ticket) { $0.pollFailed(error, now: $1) }
        }
    }

    func redeem(_ answer: ProviderAnswer, _ secrets: FlowSecrets, _ ticket: SignInTicket) async {
        let session = ticket.session
        do throws(ProviderFailure) {
            // A reload may take the provider away meanwhile.
            let mayAsk = session.request.mayAsk(at: try? providers.directory.provider(session.request.providerID, boundTo: session.binding))
            let exchanged: ExchangedCode
            switch answer {
            case .callback(let parameters):
                let provider = try providers.directory.provider(session.request.providerID, boundTo: session.binding)
                exchanged = try await providers.exchange.run(session: session, secrets, provider: provider, parameters: parameters)
            case .grant(let grant): exchanged = try await providers.exchange.run(grant, of: session)
            }
            let proof = platform.signIns.noted(
                .page(answeredAt: platform.signIns.now, exchanged.claims, mayAsk: mayAsk, at: session.binding))
            let completed = CompletedSignIn(
                grant: exchanged.grant, profile: exchanged.profile, proof: proof,
                rawNonce: secrets.nonce, user: nil, isNewUser: false,
                signedInAs: session.request.account.map { SignInName(name: $0, at: platform.now, login: session.request.login) })
            providers.directory.succeeded(at: session.request.providerID)
            happened(to: ticket) { $0.exchanged(completed, now: $1) }
        } catch {
            await providers.directory.failed(error, with: session.binding, at: session.request.providerID)
            happened(to: ticket) { $0.exchangeFailed(error, now: $1) }
        }
    }

    // MARK: For nobody

    /// Whose the grant is must be known before it is revoked. While the store is closed, nobody can know whether a credential of that
    /// account is stored, and the grant is left to expire.
    func takeBack(_ grant: Grant, of session: SignInSession) async {
        guard !store.isClosed else { return providers.exchange.discard(grant, session: session) }
        // If it is refused, it is revoked there.
        guard let exchanged = try? await providers.exchange.run(grant, of: session) else { return }
        providers.revocation.discard(exchanged.grant, of: exchanged.profile.identity, boundTo: session.binding)
    }
}
