import PosternClient
import StrictJSON

/// The executable source of Google's external accounts: the program returns an ID token, which Google's library exchanges itself.
///
/// The library reads standard error together with standard output, so nothing may be written to it.
///     postern helper google ACCOUNT
///
/// Source: AIP-4117; `pluggable.py` of google-auth.
enum GoogleHelper: HelperProtocol {
    static func output(for call: HelperCall, _ source: some HelperSource) throws(HelperOutput) -> HelperOutput {
        try output(for: call, source) { _ = PrivateFile.replace($0, with: Array($1.utf8)) }
    }

    /// - Parameter keep: writes the answer to the file that the library reads before it runs the program again.
    static func output(
        for call: HelperCall, _ source: some HelperSource, keep: (String, String) -> Void
    ) throws(HelperOutput) -> HelperOutput {
        let request = try request(call.arguments, variable: call.variable)
        let text = text(request, source)
        if let file = request.outputFile { keep(file, text) }
        // Standard output is then a terminal, and the file is read instead.
        return HelperOutput(request.isInteractive ? "" : text)
    }

    private static func text(_ request: IDTokenRequest, _ source: some HelperSource) -> String {
        switch source.answer(HelperRequest(subject: .name(request.account), kind: .idToken, mayOpenPage: request.isInteractive)) {
        case .token(let token):
            answer(idToken: token.secret.reveal(), tokenType: request.tokenType, expiration: token.expiry)
        case .signInNeeded(let sentence): failure(code: "401", message: sentence)
        case .nothing(let sentence, _): failure(code: "404", message: sentence)
        case .unavailable(let sentence), .noDaemon(let sentence): failure(code: "503", message: sentence)
        }
    }

    struct IDTokenRequest: Equatable {
        var account: String
        /// Repeated in the answer, as the library requires.
        var tokenType: String
        /// The library reads this file first, before it runs the program.
        var outputFile: String?
        /// Standard output is the user's terminal; the library reads only the file.
        var isInteractive: Bool
    }

    private static let tokenTypes = ["urn:ietf:params:oauth:token-type:id_token", "urn:ietf:params:oauth:token-type:jwt"]

    static func request(_ arguments: [String], variable: (String) -> String?) throws(HelperOutput) -> IDTokenRequest {
        func value(_ name: String) -> String? { variable("GOOGLE_EXTERNAL_ACCOUNT_" + name).flatMap { $0.isEmpty ? nil : $0 } }
        guard arguments.count == 1, let account = arguments.first, !account.isEmpty, !account.begins(with: "-") else {
            throw HelperOutput(failure(code: "64", message: "the executable's command is: postern helper google ACCOUNT"))
        }
        guard value("REVOKE") != "1" else {
            let sentence = "postern does not sign accounts out for other programs: run postern revoke \(ShellWord.quoted(account))"
            throw HelperOutput(failure(code: "403", message: sentence.plain))
        }
        let tokenType = value("TOKEN_TYPE") ?? tokenTypes[0]
        guard tokenTypes.contains(tokenType) else {
            throw HelperOutput(failure(code: "400", message: "postern has ID tokens: set subject_token_type to \(tokenTypes[0])"))
        }
        let outputFile = value("OUTPUT_FILE")
        // Without the file the answer can only be written to standard output.
        let isInteractive = value("INTERACTIVE") == "1" && outputFile != nil
        return IDTokenRequest(account: account, tokenType: tokenType, outputFile: outputFile, isInteractive: isInteractive)
    }

    /// - Parameter expiration: in seconds since 1970. Without it the library never uses the answer from the file.
    static func answer(idToken: String, tokenType: String, expiration: Int64?) -> String {
        var answer: JSONObject = ["version": 1, "success": true, "token_type": .string(tokenType), "id_token": .string(idToken)]
        if let expiration { answer["expiration_time"] = .integer(expiration) }
        return JSON.object(answer).text + "\n"
    }

    /// Exits with status 0: only then does the library show the message.
    static func failure(code: String, message: String) -> String {
        JSON.object(["version": 1, "success": false, "code": .string(code), "message": .string(message)]).text + "\n"
    }
}
