import PosternClient

extension AccountDialogue {
    /// Asks which factor to use, has its code sent if necessary, and asks for the code until it is right.
    func secondFactor(of challenge: SecondFactorChallenge, wayName: String) throws -> Proved {
        guard let prompt, !challenge.factors.isEmpty else {
            throw CommandFailure("a second factor is required, but the daemon did not say which; run postern doctor")
        }
        let names = challenge.factors.map(SecondFactorText.name)
        var index = 0
        if names.count > 1 {
            prompt.say("Your account also asks for a code. It can come from:")
            guard let chosen = try prompt.choice("Which one?", among: names) else { throw Self.declined }
            index = chosen
        } else {
            prompt.say("Your account also asks for a code, from your \(names[0]).")
        }
        let factor = challenge.factors[index]
        let isSent = factor.factorID == .phone
        if isSent { try sendCode(of: factor, challenge, prompt) }
        return try codes(prompt, onEmpty: { if isSent { try sendCode(of: factor, challenge, prompt) } }) { code in
            try proved(
                by: Interface.ResolveSecondFactor(resolver: challenge.resolver, uid: factor.uid, verificationCode: Secret(code)),
                wayName: wayName, \.result)
        }
    }

    private func sendCode(of factor: SecondFactor, _ challenge: SecondFactorChallenge, _ prompt: Prompt) throws {
        _ = try call(Interface.StartSecondFactor(resolver: challenge.resolver, uid: factor.uid))
        prompt.say("A code was sent to your \(SecondFactorText.name(factor)). Press Enter to get another one.")
    }

    /// Repeats until a code is right, or the daemon accepts no more.
    func codes<Value>(_ prompt: Prompt, onEmpty: () throws -> Void = {}, _ give: (String) throws -> Value) throws -> Value {
        while true {
            // Codes are shown and typed in groups.
            let code = try prompt.line("Code:").keeping { !$0.properties.isWhitespace && $0 != "-" }
            guard !code.isEmpty else {
                try onEmpty()
                continue
            }
            // The daemon counts attempts; a typing error should not be one.
            if let problem = VerificationCode.problem(of: code) {
                prompt.say(problem)
                continue
            }
            do { return try give(code) } catch PosternError.refused(.invalidVerificationCode(let message)) {
                prompt.say("Wrong code: \(message.plain)")
            }
        }
    }
}

/// The format of a code, whichever factor it belongs to.
enum VerificationCode {
    static let digits = 6

    /// - Parameter code: without the blanks and hyphens that people type.
    /// - Returns: nil if it may be right.
    static func problem(of code: String) -> String? {
        let isDigits = code.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        if isDigits, code.utf8.count == digits { return nil }
        return isDigits
            ? "A code has \(digits) digits; this has \(code.utf8.count). It was not tried."
            : "A code is \(digits) digits. It was not tried."
    }
}
