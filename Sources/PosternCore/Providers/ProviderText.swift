/// Text from a provider, made safe for logs, terminals and pages: limited, on one line, without control characters.
///
/// Escape sequences would reach a terminal, line feeds would forge log lines, and direction marks would make a page read differently from
/// what it says. For HTML it must still be escaped.
public enum ProviderText {
    /// For error texts: `error_description`, `message`.
    public static let longestDescription = 500
    /// For names, addresses and error codes.
    public static let longestName = 255

    /// - Returns: nil if nothing readable is left.
    public static func cleaned(_ text: String, longest: Int) -> String? {
        var result = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < longest else {
                result.append("…")
                break
            }
            guard let readable = readable(scalar) else { continue }
            // Several white spaces say no more than one space, and could push the rest out of sight.
            if readable == " ", result.isEmpty || result.last == " " { continue }
            result.append(readable)
            count += 1
        }
        if result.last == " " { result.removeLast() }
        return result.isEmpty ? nil : String(result)
    }

    private static func readable(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.properties.generalCategory {
        case .control: scalar.properties.isWhitespace ? " " : nil
        case .lineSeparator, .paragraphSeparator, .spaceSeparator: " "
        // Direction marks and invisible characters; surrogates and private use have no meaning here.
        case .format, .surrogate, .privateUse, .unassigned: scalar == "\u{200D}" ? scalar : nil
        default: scalar
        }
    }
}

extension OAuthRefusal {
    /// - Parameters:
    ///   - word: the endpoint's error, as it was sent.
    ///   - sentence: its description, as it was sent.
    init(status: Int, word: String?, sentence: String?, advice: String? = nil) {
        self.init(
            status: status, error: word.flatMap { ProviderText.cleaned($0, longest: ProviderText.longestName) },
            errorDescription: sentence.flatMap { ProviderText.cleaned($0, longest: ProviderText.longestDescription) }, advice: advice)
    }
}
