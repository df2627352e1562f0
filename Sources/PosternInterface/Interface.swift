/// The interface `io.postern`: its description, and the types, methods and replies that are generated from it.
///
/// A method's parameters are ``Interface/SignIn``, its reply `Interface.SignIn.Reply`.
public enum Interface {}

extension Interface.Method {
    /// The full name of a call: `io.postern.SignIn`.
    public var name: String { "\(Interface.name).\(rawValue)" }

    /// Every call asks for one.
    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// Nil for a name of another interface, or of no method.
    public init?(name: String) {
        guard let method = Self.byName[name] else { return nil }
        self = method
    }
}
