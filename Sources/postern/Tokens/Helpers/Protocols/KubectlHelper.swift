import PosternClient
import StrictJSON

/// Kubernetes' exec credential plugin (client.authentication.k8s.io), for kubectl, helm and all programs based on client-go.
///
///     kubectl-postern ACCOUNT [--id-token] [--interactive] [--scope SCOPE]…
enum KubectlHelper: HelperProtocol {
    static func output(for call: HelperCall, _ source: some HelperSource) throws(HelperOutput) -> HelperOutput {
        let options = try Options(call.arguments)
        let request = try ExecRequest(call.variable("KUBERNETES_EXEC_INFO"))
        // kubectl has no other source, and shows standard error.
        let token = try source.token(
            HelperRequest(
                subject: .name(options.account, destination: request.server), kind: options.wantsIDToken ? .idToken : .accessToken,
                scopes: options.scopes, mayOpenPage: options.mayOpenPage && request.isInteractive != false))
        var status: JSONObject = ["token": .string(token.secret.reveal())]
        if let end = token.expiry.flatMap({ EpochTime(seconds: $0).text }) { status["expirationTimestamp"] = .string(end) }
        let credential: JSONObject = ["apiVersion": .string(request.version), "kind": "ExecCredential", "status": .object(status)]
        return HelperOutput(JSON.object(credential).text + "\n")
    }

    private struct Options {
        var account = ""
        var wantsIDToken = false
        var mayOpenPage = false
        var scopes: [String] = []

        init(_ arguments: [String]) throws(HelperOutput) {
            var rest = arguments[...]
            while let argument = rest.popFirst() {
                let option = OptionWord(argument)
                switch option.name {
                case "--id-token" where option.standsAlone: wantsIDToken = true
                case "--interactive" where option.standsAlone: mayOpenPage = true
                case "--scope":
                    guard let scope = option.value(&rest) else { throw .usage("--scope needs a scope") }
                    scopes.append(scope)
                default:
                    guard !argument.begins(with: "-"), account.isEmpty else { throw .usage(Self.usage) }
                    account = argument
                }
            }
            guard !account.isEmpty else { throw .usage(Self.usage) }
            guard scopes.isEmpty || !wantsIDToken else {
                throw .usage("--scope is for access tokens; an ID token has the scopes of the sign-in")
            }
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
        init(_ text: String?) throws(HelperOutput) {
            guard let text, !text.isEmpty else { return }
            guard text.utf8.count <= HelperInput.limit, let document = try? JSONObject(json: JSON(parsing: text)) else {
                throw .failed("KUBERNETES_EXEC_INFO is not a JSON object")
            }
            guard document["kind"]?.stringValue == "ExecCredential", let version = document["apiVersion"]?.stringValue,
                Self.versions.contains(version)
            else {
                throw .failed(
                    "kubectl speaks another version of the protocol; write apiVersion: \(Self.versions[0]), or v1beta1 before 1.22")
            }
            self.version = version
            guard let spec = document["spec"]?.objectValue else { return }
            isInteractive = spec["interactive"]?.boolValue
            if let cluster = spec["cluster"], cluster != .null {
                guard let named = cluster.objectValue?["server"]?.stringValue else {
                    throw .failed("KUBERNETES_EXEC_INFO has a cluster without a server")
                }
                // The user and the cluster may be in files that belong to different people.
                guard cluster.objectValue?["insecure-skip-tls-verify"]?.boolValue != true else {
                    throw .failed("the cluster is not verified (insecure-skip-tls-verify), so it gets no token")
                }
                guard (cluster.objectValue?["proxy-url"] ?? .null) == .null else {
                    throw .failed("the kubeconfig reaches the cluster by a proxy-url, so it gets no token")
                }
                server = named
            }
        }
    }
}
