import PosternClient

/// pnpm's `tokenHelper`: a program whose output is a token, for the registry under which the configuration names it.
///
///     postern helper pnpm ACCOUNT
enum PnpmHelper: HelperProtocol {
    static func answer(_ call: HelperCall, _ source: some HelperSource) -> HelperOutput {
        guard call.arguments.count == 1, let account = call.arguments.first, !account.isEmpty, !account.begins(with: "-") else {
            return .usage("pnpm's tokenHelper runs: postern helper pnpm ACCOUNT")
        }
        let answer = source.answer(HelperRequest(subject: .name(account)))
        switch answer {
        case .token(let token): return HelperOutput(self.answer(token: token.secret.reveal()))
        case .nothing(let sentence), .signInNeeded(let sentence), .unavailable(let sentence), .noDaemon(let sentence):
            return HelperOutput(words: sentence, status: answer.status.rawValue)
        }
    }

    /// With the scheme: older versions send the text unchanged, later ones recognise it.
    static func answer(token: String) -> String { "Bearer \(token)\n" }
}
