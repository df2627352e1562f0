/// A member that is missing, has another type, or is unknown. Names the member, never its value.
public struct JSONMemberError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        case missing
        case unknown
        case wrongType(expected: String, found: String)
        /// A value of the right type that is not allowed; the sentence says which ones are.
        case notAllowed(String)
    }

    /// Names from the outside in, joined by full stops, with array indices: `credential.scopes[1]`.
    public var path: String
    public var reason: Reason

    public init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// The error of a member of the one with this name or index.
    public func inside(_ outer: String) -> JSONMemberError {
        let joint = path.isEmpty || path.utf8.first == UInt8(ascii: "[") ? "" : "."
        return JSONMemberError(path: outer + joint + path, reason: reason)
    }

    public var description: String {
        switch reason {
        case .missing: "\(path) is missing"
        case .unknown: "\(path) is not known here"
        case .wrongType(let expected, let found): "\(path) must be \(expected), but is \(found)"
        case .notAllowed(let sentence): "\(path) \(sentence)"
        }
    }
}

extension JSONMemberError {
    static func wrongType(_ expected: String, _ found: JSON) -> JSONMemberError {
        JSONMemberError(path: "", reason: .wrongType(expected: expected, found: found.typeName))
    }
}
