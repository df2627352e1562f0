/// Bounds of what programs may call a user.
public enum ProfileRules {
    /// Shown in terminals and on pages: it moves no cursor, turns no text around and breaks no line. Joiners are letters' business in
    /// Persian and Hindi, and make one picture of several.
    public static func isName(_ text: String) -> Bool {
        text.unicodeScalars.count <= ProviderText.longestName && text.utf8.count <= 4 * ProviderText.longestName
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
                case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
    }

    /// A picture on the web, as providers give it: no `data:` that would fill the store, no `javascript:` that would run on a page.
    public static func isPhotoURL(_ text: String) -> Bool {
        let lowered = text.lowercased()
        guard lowered.hasPrefix("https://") || lowered.hasPrefix("http://") else { return false }
        return text.utf8.count <= ProfileDocument.longestURL && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}
