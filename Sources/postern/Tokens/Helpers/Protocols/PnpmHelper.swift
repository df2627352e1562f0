import PosternClient

/// pnpm's `tokenHelper`: a program whose output is a token, for the registry under which the configuration names it.
///
///     postern helper pnpm ACCOUNT
enum PnpmHelper: HelperProtocol {
    static func output(for call: HelperCall, _ source: some HelperSource) throws(HelperOutput) -> HelperOutput {
        guard call.arguments.count == 1, let account = call.arguments.first, !account.isEmpty, !account.begins(with: "-") else {
            return .usage("pnpm's tokenHelper runs: postern helper pnpm ACCOUNT")
        }
        return HelperOutput(answer(token: try source.token(HelperRequest(subject: .name(account))).secret.reveal()))
    }

    /// With the scheme: older versions send the text unchanged, later ones recognise it.
    static func answer(token: String) -> String { "Bearer \(token)\n" }
}
