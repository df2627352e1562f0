/// The `prompt` that an authorization request is sent with (OpenID Connect Core section 3.1.2.1): what the provider may ask the person.
///
/// Whatever depends on it asks here: whether somebody was seen in the page, and what is asked for besides.
public struct PagePrompt: Sendable, Hashable {
    /// As it is sent; nil if none is.
    public var text: String?
    /// It stands in the endpoint's own query, which is the configuration's: no parameter takes its place, as none may be repeated.
    public var isFixed: Bool

    /// - Parameters:
    ///   - given: the program's or the configuration's.
    ///   - endpoint: the authorization endpoint; nil if it is not known.
    public init(given: String?, to endpoint: EndpointURL?) {
        let fixed = endpoint?.queryValues(of: "prompt") ?? []
        isFixed = !fixed.isEmpty
        text = isFixed ? fixed.joined(separator: " ") : given
    }

    /// The provider may ask nobody anything.
    public var asksNobody: Bool { text?.parts(separator: " ").contains("none") ?? false }

    /// The person chooses an account.
    public var selectsAccount: Bool { text?.holds("select_account") ?? false }
}

extension EndpointURL {
    /// The values of a parameter in the query, form-decoded; one that cannot be decoded is left as it was written.
    fileprivate func queryValues(of name: String) -> [String] {
        guard let query else { return [] }
        return query.parts(separator: "&").enumerated().compactMap { place, pair in
            guard queryNames[place] == name else { return nil }
            guard let sign = pair.unicodeScalars.firstIndex(of: "=") else { return "" }
            let value = pair.after(sign)
            return (try? FormEncoding.decode(Array(value.utf8))) ?? String(value)
        }
    }
}
