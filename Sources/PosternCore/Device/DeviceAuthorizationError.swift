/// Why a provider gave no code for another device.
public enum DeviceAuthorizationError: Error, Sendable, Hashable {
    /// It said no. Asking the same again gets the same.
    case refused(OAuthRefusal)
    /// It cannot answer now.
    case transient(TransientFailure)
    /// What it answered makes no sense. `refusal` is what can be read of an error in it.
    case malformed(TokenAnswerFlaw, refusal: OAuthRefusal?)
    /// Too long, or with characters that cannot be shown.
    case invalidUserCode
    case invalidVerificationURI(EndpointURLError)
    /// The code was over before it could be shown.
    case overAlready

    init(_ error: TokenEndpointError) {
        switch error {
        case .refused(let refusal): self = .refused(refusal)
        case .transient(let failure): self = .transient(failure)
        case .malformed(let flaw, let refusal): self = .malformed(flaw, refusal: refusal)
        }
    }
}

extension DeviceAuthorizationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .refused(let refusal) where refusal.isDeviceFlowDisabled:
            "it has the device flow switched off for this client; switch it on in the settings of the application there"
        case .refused(let refusal): "its device authorization endpoint refused: \(refusal)"
        case .transient(let failure): "its device authorization endpoint gave no code: \(failure)"
        case .malformed(.redirect(let status), _):
            "its device authorization endpoint answered with a redirect (status \(status)), which is not followed; "
                + "check the device-authorization-endpoint"
        case .malformed(let flaw, let refusal?): "its device authorization endpoint refused (\(refusal)), and \(flaw)"
        case .malformed(let flaw, nil): "its device authorization endpoint answered what makes no sense: \(flaw)"
        case .invalidUserCode:
            "the code that it gave is longer than \(DeviceAuthorization.longestUserCode) bytes or holds characters that cannot be shown"
        case .invalidVerificationURI(let error): "the page that it gave for the code \(error)"
        case .overAlready: "the code that it gave was over at once; check the clock of this machine"
        }
    }

    /// What a sign-in becomes that was to begin so.
    public var signInFailure: SignInFailure {
        switch self {
        case .refused(let refusal) where refusal.isDeviceFlowDisabled: .providerNotConfigured(message: description)
        case .refused(let refusal), .malformed(_, let refusal?):
            .exchangeFailed(error: refusal.error, description: refusal.errorDescription, message: description)
        case .transient: .unreachable(message: description)
        case .malformed(_, nil), .invalidUserCode, .invalidVerificationURI, .overAlready:
            .exchangeFailed(error: nil, description: nil, message: description)
        }
    }
}

extension OAuthRefusal {
    /// GitHub's word for an application whose owner has not opted in.
    var isDeviceFlowDisabled: Bool { error == "device_flow_disabled" }
}
