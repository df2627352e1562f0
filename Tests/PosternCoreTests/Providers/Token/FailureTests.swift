import Testing

@testable import PosternCore

/// What a sign-in becomes for each kind of trouble: an outage is never a refusal.
@Suite struct FailureTests {
    private let transient = TransientFailure(status: 503, retryAfterSeconds: 5)
    private let refusal = OAuthRefusal(status: 400, error: "invalid_grant", errorDescription: "expired")

    @Test("Outages become unreachable")
    func outages() {
        for failure in [
            TokenEndpointError.transient(transient).providerFailure(at: "Work"),
            ProfileError.transient(transient).providerFailure(at: "Work"),
            OAuth1Error.transient(.accessToken, transient).providerFailure(at: "Work"),
            MetadataError.transient(transient).providerFailure(at: "Work"), KeySetError.transient(transient).providerFailure(at: "Work"),
        ] {
            #expect(failure.reason == .unreachable && failure.message.hasSuffix(" cannot answer now (status 503); try again in 5 s"))
        }
    }

    @Test("A server that received too many requests has answered, and is named")
    func busy() {
        let failure = TransientFailure(status: 429, retryAfterSeconds: 60)
        let end = "received too many requests (status 429); try again in 60 s"
        #expect(
            TokenEndpointError.transient(failure).providerFailure(at: "Work")
                == .unreachable(message: "the token endpoint of Work \(end)"))
        #expect(
            OAuth1Error.transient(.requestToken, failure).providerFailure(at: "Work")
                == .unreachable(message: "the request-token-endpoint of Work \(end)"))
        #expect(
            ProfileError.transient(failure).providerFailure(at: "Work")
                == .unreachable(message: "the profile could not be read: Work \(end)"))
        #expect(
            KeySetError.transient(failure).providerFailure(at: "Work")
                == .unreachable(message: "the keys that sign ID tokens could not be read: Work \(end)"))
        #expect("\(PushedAuthorizationError.transient(failure))" == "it did not accept the pushed authorization request: it \(end)")
        #expect("\(DeviceAuthorizationError.transient(failure))" == "its device authorization endpoint \(end)")
        #expect(RevocationOutcome.transient(failure).problem == "it \(end)")
    }

    @Test(
        "Where nobody says how far a request got, its failure says what its reason implies, and never that an answer cannot come any more",
        arguments: ProviderFailure.Reason.allCases)
    func progress(reason: ProviderFailure.Reason) {
        let before: Set<ProviderFailure.Reason> = [.foreignAnswer, .providerNotConfigured, .storeUnavailable, .storeLocked, .internal]
        let failure = ProviderFailure(reason, message: "m")
        #expect(failure.progress == (before.contains(reason) ? .notSent : reason == .unreachable ? .unanswered : .answered))
        #expect(failure.after(.notSent).progress == .notSent)
    }

    @Test("How long a provider wants not to be asked outlives what is learnt of the request later")
    func retryAfter() {
        let failure = ProviderFailure.unreachable(message: "m").after(.answered, retryAfterSeconds: 90)
        #expect(failure.after(.notSent).retryAfterSeconds == 90)
        #expect(failure.after(.notSent, retryAfterSeconds: 5).retryAfterSeconds == 5)
    }

    @Test("Refusals keep the provider's words")
    func refusals() {
        #expect(
            TokenEndpointError.refused(refusal).providerFailure(at: "Work")
                == .exchangeFailed(
                    error: "invalid_grant", description: "expired", message: "the token endpoint of Work refused: invalid_grant: expired"))
        #expect(
            ProfileError.refused(OAuthRefusal(status: 403, error: nil)).providerFailure(at: "Work")
                == .exchangeFailed(
                    error: nil, description: nil, message: "Work refused to give the profile: status 403, without a reason"))
        #expect(
            OAuth1Error.refused(.accessToken, refusal).providerFailure(at: "Work")
                == .exchangeFailed(
                    error: "invalid_grant", description: "expired",
                    message: "the access-token-endpoint of Work refused: invalid_grant: expired"))
    }

    @Test("A refresh that is refused without a word wants the user, and does not end the refresh token")
    func bareRefusal() {
        let bare = TokenEndpointError.refused(OAuthRefusal(status: 400, error: nil))
        #expect(bare.isWithoutReason && !bare.endsRefreshToken)
        #expect(!TokenEndpointError.refused(OAuthRefusal(status: 401, error: nil)).isWithoutReason)
        #expect(!TokenEndpointError.refused(refusal).isWithoutReason && TokenEndpointError.refused(refusal).endsRefreshToken)
        #expect(!TokenEndpointError.transient(transient).isWithoutReason)
    }

    @Test("A malformed answer is a failed exchange")
    func nonsense() {
        #expect(
            TokenEndpointError.malformed(.missing(member: "access_token"), refusal: nil).providerFailure(at: "Work")
                == .exchangeFailed(
                    error: nil, description: nil,
                    message: "the answer of the token endpoint of Work has no access_token"))
        #expect(
            TokenEndpointError.malformed(.notAForm, refusal: OAuthRefusal(status: 400, error: nil, errorDescription: "x")).providerFailure(at: "Work")
                == .exchangeFailed(
                    error: nil, description: "x",
                    message: "the token endpoint of Work refused (status 400: x), and its answer is not a well-formed form"))
        #expect(
            "\(PushedAuthorizationError.malformed(.notAForm))"
                == "its answer to the pushed authorization request is not a well-formed form")
        #expect(
            OAuth1Error.malformed(.accessToken, .missing(member: "oauth_token")).providerFailure(at: "Work")
                == .exchangeFailed(
                    error: nil, description: nil, message: "the answer of the access-token-endpoint of Work has no oauth_token"))
        #expect(
            ProfileError.notAnObject(found: "an array").providerFailure(at: "Work")
                == .exchangeFailed(
                    error: nil, description: nil, message: "the profile that Work gave must be a JSON object, but is an array"))
        #expect(
            "\(DeviceAuthorizationError.malformed(.missing(member: "device_code"), refusal: nil))"
                == "the answer of its device authorization endpoint has no device_code")
    }

    @Test("A rejected ID token keeps its reason, and another account's profile counts as one")
    func idTokens() {
        #expect(IDTokenRejection.nonceMismatch.providerFailure == .invalidIDToken(reason: IDTokenRejection.nonceMismatch.reason))
        #expect(ProfileError.signedAnswer(.invalidSignature).providerFailure(at: "Work") == .invalidIDToken(reason: "the userinfo answer's signature is wrong"))
        #expect(ProfileError.subjectMismatch.providerFailure(at: "Work").reason == .invalidIDToken)
    }

    @Test("What only the configuration can fix says so")
    func configuration() {
        for failure in [
            ProviderProblem.clientIDMissing.providerFailure, MetadataError.redirected.providerFailure(at: "Work"),
            MetadataError.issuerMismatch(expected: "a", found: "b").providerFailure(at: "Work"), ProfileError.noSource.providerFailure(at: "Work"),
        ] {
            #expect(failure.reason == .providerNotConfigured)
        }
    }

    @Test("Sentences begin small and have no full stop, and none is empty")
    func sentences() {
        let errors: [any CustomStringConvertible] = [
            ProviderProblem.clientIDMissing, ProviderProblem.clientSecretMissing, ProviderProblem.issuerMissing,
            ProviderProblem.endpointMissing(.token), ProviderProblem.endpointInvalid(.jwks, .fragment),
            ProviderProblem.endpointHasReservedParameter(.authorization, name: "state"),
            ProviderProblem.noCommonClientAuthentication(offered: ["private_key_jwt"]), MetadataError.issuerHasQuery,
            MetadataError.issuerInvalid(.notAbsolute), MetadataError.refused(status: 404), MetadataError.tooLarge(limit: 1),
            KeySetError.noKeys, KeySetError.refused(status: 404), KeySetError.tooManyKeys(limit: 100), ProfileError.noSource,
            ProfileError.tooLarge(limit: 1), ProfileError.subjectMismatch, AuthorizationRequestError.tooLong(limit: 1),
            AuthorizationRequestError.reservedParameter(name: "state"), TokenAnswerFlaw.redirect(status: 302),
            SignInRequirement.noRefreshToken(expiresAt: nil), SignInRequirement.refreshedIdentityDiffers(.invalidSubject),
            IDTokenRejection.authenticationTimeMissing, IDTokenRejection.differsFromEarlier(claim: "sub"), IDTokenRejection.olderThanEarlier,
            ProviderProblem.noCommonProofAlgorithm(offered: ["RS256"]), AuthorizationRequestError.invalidMaximumAge, TokenAnswerFlaw.notBound,
            PushedAuthorizationError.refused(refusal), PushedAuthorizationError.transient(transient),
            PushedAuthorizationError.malformed(.redirect(status: 302)), PushedAuthorizationError.malformed(.notAForm),
            ClientRegistrationError.refused(refusal), ClientRegistrationError.otherRedirectURIs, ClientRegistrationError.secretMissing,
        ]
        for error in errors {
            let sentence = error.description
            #expect(sentence.first?.isLowercase == true, "\(sentence)")
            #expect(!sentence.hasSuffix("."), "\(sentence)")
        }
    }
}
