/// Which Firebase project the accounts are in, and where it is asked.
public struct FirebaseProject: Sendable, Equatable {
    public static let identityToolkit = "identitytoolkit.googleapis.com"
    public static let secureToken = "securetoken.googleapis.com"

    /// Sent in a header, where no log of a proxy or a server has it.
    public var apiKey: Secret
    /// The base URL of an emulator, without a slash at its end; nil for Google's servers.
    public var emulator: String?
    /// What its tokens must be for; nil where the first token says.
    public var projectID: String?

    public init(apiKey: Secret, emulator: String? = nil, projectID: String? = nil) {
        self.apiKey = apiKey
        self.emulator = emulator
        self.projectID = projectID
    }

    /// A call of the Identity Toolkit: `v1/accounts:signUp`.
    func identityToolkit(_ path: String) -> String { url(of: Self.identityToolkit, path) }

    func secureToken(_ path: String) -> String { url(of: Self.secureToken, path) }

    private func url(of host: String, _ path: String) -> String { "\(emulator.map { "\($0)/" } ?? "https://")\(host)/\(path)" }
}
