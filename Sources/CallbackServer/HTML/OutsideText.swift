/// A text from outside, fit to be shown: one short line of letters, signs and spaces.
///
/// What would move or hide other text on the page is removed: controls, line and paragraph separators, and the format characters that
/// reverse the reading direction or have no width (UTR 36, "Trojan Source"). ``HTML`` escapes it.
struct OutsideText: Sendable, Hashable {
    /// Long enough for any name, and for one sentence of a provider.
    static let defaultLimit = 120

    let text: String

    /// Nil if nothing is left of it.
    ///
    /// - Parameter limit: in Unicode scalars, since one visible character may be made of any number of them.
    init?(_ outside: String?, limit: Int = defaultLimit) {
        guard let outside else { return nil }
        var cleaned = String.UnicodeScalarView()
        var isCut = false
        var pendingSpace = false
        // Removed characters count too, so that a long text of nothing takes no time.
        for scalar in outside.unicodeScalars.prefix(limit * 8) {
            switch Self.treatment(of: scalar) {
            case .drop: continue
            case .space: pendingSpace = !cleaned.isEmpty
            case .keep:
                guard cleaned.count < limit else {
                    isCut = true
                    break
                }
                if pendingSpace { cleaned.append(" ") }
                pendingSpace = false
                cleaned.append(scalar)
            }
            if isCut { break }
        }
        guard !cleaned.isEmpty else { return nil }
        text = String(cleaned) + (isCut ? "…" : "")
    }

    /// The name of a provider or a program, for use within sentences.
    ///
    /// - Parameter fallback: shown if nothing is left to show; one of our own words.
    init(name outside: String, or fallback: String) {
        if let cleaned = OutsideText(name: outside) { self = cleaned } else { self.init(verbatim: fallback) }
    }

    init?(name outside: String?) { self.init(outside, limit: 60) }

    private init(verbatim text: String) { self.text = text }

    private enum Treatment { case keep, space, drop }

    private static func treatment(of scalar: Unicode.Scalar) -> Treatment {
        switch scalar.properties.generalCategory {
        case .control: scalar == "\t" || scalar == "\n" || scalar == "\r" ? .space : .drop
        case .lineSeparator, .paragraphSeparator, .spaceSeparator: .space
        // The joiners shape Persian and Indic words and join emoji; no name needs the other format characters.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}" ? .keep : .drop
        case .surrogate, .privateUse, .unassigned: .drop
        default: .keep
        }
    }
}
