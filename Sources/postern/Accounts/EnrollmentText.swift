import PosternClient

/// What a person needs to know to enrol a factor.
enum EnrollmentText {
    static func lines(for enrollment: Interface.EnrollSecondFactor.Reply, number: String?, on terminal: Terminal) -> [String] {
        guard let secret = enrollment.secret?.reveal() else {
            return ["A code was sent to \((number ?? "the telephone").plain)."]
        }
        var lines: [String] = []
        if let uri = enrollment.provisioningURI, let code = QRCode(uri.reveal()) {
            lines += ["Let the program that is to show codes read this:", ""]
            lines += QRText.lines(for: code, style: terminal.hasColour ? .coloured : .plain)
            lines += ["", "Or type this secret into it:", "", "  " + grouped(secret.plain), ""]
        } else {
            lines += ["Type this secret into the program that is to show codes:", "", "  " + grouped(secret.plain), ""]
        }
        return lines + ["Then type the code that it shows."]
    }

    /// In fours, as it is easier to type.
    private static func grouped(_ secret: String) -> String {
        var text = ""
        for (index, letter) in secret.enumerated() {
            if index > 0, index.isMultiple(of: 4) { text += " " }
            text.append(letter)
        }
        return text
    }
}
