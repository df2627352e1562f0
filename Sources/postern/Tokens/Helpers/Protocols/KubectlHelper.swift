import PosternClient
import StrictJSON

/// Kubernetes' exec credential plugin (client.authentication.k8s.io), for kubectl, helm and all programs based on client-go.
///
///     kubectl-postern ACCOUNT [--id-token] [--interactive] [--scope SCOPE]…
enum KubectlHelper: HelperProtocol {
    static func answer(_ call: HelperCall, _ source: some HelperSource) -> HelperOutput {
        let options: Options
        let request: ExecRequest
        switch Options.read(call.arguments) {
        case .success(let read): options = read
        case .failure(let refusal): return .usage(refusal.words)
        }
        switch ExecRequest.read(call.variable("KUBERNETES_EXEC_INFO")) {
        case .success(let read): request = read
        case .failure(let refusal): return HelperOutput(words: refusal.words, status: CommandStatus.failed.rawValue)
        }
        let answer = source.answer(
            HelperRequest(
                subject: .name(options.account, destination: request.server), kind: options.wantsIDToken ? .idToken : .accessToken,
                scopes: options.scopes, mayOpenPage: options.mayOpenPage && request.isInteractive != false))
        switch answer {
        case .token(let token):
            var status: JSONObject = ["token": .string(token.secret.reveal())]
            if let end = token.expiry.flatMap({ EpochTime(seconds: $0).text }) { status["expirationTimestamp"] = .string(end) }
            let credential: JSONObject = [
                "apiVersion": .string(request.version), "kind": "ExecCredential", "status": .object(status),
            ]
            return HelperOutput(JSON.object(credential).text + "\n")
        // kubectl has no other source, and shows standard error.
        case .nothing(let sentence), .signInNeeded(let sentence), .unavailable(let sentence), .noDaemon(let sentence):
            return HelperOutput(words: sentence, status: answer.status.rawValue)
        }
    }

    private struct Refusal: Error { var words: String }

    private struct Options {
        var account = ""
        var wantsIDToken = false
        var mayOpenPage = false
        var scopes: [String] = []

        static func read(_ arguments: [String]) -> Result<Options, Refusal> {
            var options = Options()
            var rest = arguments[...]
            while let argument = rest.popFirst() {
                let option = OptionWord(argument)
                switch option.name {
                case "--id-token" where option.standsAlone: options.wantsIDToken = true
                case "--interactive" where option.standsAlone: options.mayOpenPage = true
                case "--scope":
                    guard let scope = option.value(&rest) else { return .failure(Refusal(words: "--scope needs a scope")) }
                    options.scopes.append(scope)
                default:
                    guard !argument.begins(with: "-"), options.account.isEmpty else { return .failure(Refusal(words: usage)) }
                    options.account = argument
                }
            }
            guard !options.account.isEmpty else { return .failure(Refusal(words: usage)) }
            guard options.scopes.isEmpty || !options.wantsIDToken else {
                return .failure(Refusal(words: "--scope is for access tokens; an ID token has the scopes of the sign-in"))
            }
            return .success(options)
        }

        private static let usage = "usage: kubectl-postern ACCOUNT [--id-token] [--interactive] [--scope SCOPE]…"
    }

    /// kubectl's information on itself and, if `provideClusterInfo` is set, on the cluster.
    private struct ExecRequest {
        static let versions = ["v1", "v1beta1"].map { "client.authentication.k8s.io/\($0)" }

        /// The answer must have the same version.
        var version = versions[0]
        /// Nil if it is not given, as by kubectl before 1.22.
        var isInteractive: Bool?
        /// The server to which the token is sent.
        var server: String?

        /// - Parameter text: nil if a user runs the helper to try it.
        static func read(_ text: String?) -> Result<ExecRequest, Refusal> {
            var request = ExecRequest()
            guard let text, !text.isEmpty else { return .success(request) }
            guard text.utf8.count <= HelperInput.limit, let document = try? JSONObject(json: JSON(parsing: text)) else {
                return .failure(Refusal(words: "KUBERNETES_EXEC_INFO is not a JSON object"))
            }
            guard document["kind"]?.stringValue == "ExecCredential", let version = document["apiVersion"]?.stringValue,
                versions.contains(version)
            else {
                return .failure(
                    Refusal(
                        words: "kubectl speaks another version of the protocol; write apiVersion: \(versions[0]), or v1beta1 before 1.22"))
            }
            request.version = version
            guard let spec = document["spec"]?.objectValue else { return .success(request) }
            request.isInteractive = spec["interactive"]?.boolValue
            if let cluster = spec["cluster"], cluster != .null {
                guard let server = cluster.objectValue?["server"]?.stringValue else {
                    return .failure(Refusal(words: "KUBERNETES_EXEC_INFO has a cluster without a server"))
                }
                // The user and the cluster may be in files that belong to different people.
                guard cluster.objectValue?["insecure-skip-tls-verify"]?.boolValue != true else {
                    return .failure(Refusal(words: "the cluster is not verified (insecure-skip-tls-verify), so it gets no token"))
                }
                guard (cluster.objectValue?["proxy-url"] ?? .null) == .null else {
                    return .failure(Refusal(words: "the kubeconfig reaches the cluster by a proxy-url, so it gets no token"))
                }
                request.server = server
            }
            return .success(request)
        }
    }
}
