import PosternCore

extension Fuzz {
    /// The values of `WWW-Authenticate`: one field a line.
    static func challenge(_ bytes: [UInt8]) {
        let fields = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        let challenges = AuthenticationChallenge.all(in: fields)
        // What was read is read again from its own text.
        let written = challenges.map { challenge in
            let parameters = challenge.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(escaped($0.value))\"" }
            return parameters.isEmpty ? challenge.scheme : "\(challenge.scheme) \(parameters.joined(separator: ", "))"
        }
        for (challenge, text) in zip(challenges, written) where text.utf8.count <= 8192 {
            guard AuthenticationChallenge.all(in: [text]) == [challenge] else { fatalError("read otherwise: \(text)") }
        }
        // What it asks for can be shown, and is no more than a person reads.
        let provider = Provider(id: "work", displayName: "Work", kind: .oauth2)
        if case .stepUp(let stepUp) = ChallengeVerdict(on: challenges, to: nil, of: provider) {
            guard stepUp.missing.isEmpty, stepUp.scopes.isEmpty else { fatalError("nobody listed \(stepUp.missing)") }
            guard stepUp.authenticationClasses.allSatisfy(Scopes.isValid) else { fatalError("\(stepUp.authenticationClasses)") }
        }
    }
}

private func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { result.unicodeScalars.append("\\") }
        result.unicodeScalars.append(scalar)
    }
    return result
}
