import StrictJSON

/// The interface `io.postern`: its description, and the types, methods and replies that are generated from it.
///
/// A method's parameters are of type ``Interface/SignIn``, its reply of type `Interface.SignIn.Reply`.
public enum Interface {}

extension Interface.Method {
    /// The full name of a call: `io.postern.SignIn`.
    public var name: String { "\(Interface.name).\(rawValue)" }

    /// Every call looks up one.
    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// Nil if the name belongs to another interface or to no method.
    public init?(name: String) {
        guard let method = Self.byName[name] else { return nil }
        self = method
    }
}

extension Interface {
    /// What has to be there before a method is carried out.
    public struct Needs: OptionSet, Sendable {
        public let rawValue: Int
        /// The store must be open; if it is not, the call is refused.
        public static let store = Needs(rawValue: 1)
        /// The store should be opened if it can be, but the method answers without it, too.
        public static let opening = Needs(rawValue: 2)
        /// A provider may be sent its client's secret: a changed file of it is read again.
        public static let client = Needs(rawValue: 4)

        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    public enum ReplyCount: Sendable {
        case one
        /// Several to a call with `more`.
        case many
        /// As long as the caller listens.
        case endless
    }
}

/// A value of the interface that is an object in a message.
///
/// Members without a value are left out; `null` is read as absent. Replies and the objects in them ignore unknown
/// members, so that an older client can read a newer daemon; what a client sends is read strictly.
public protocol InterfaceObject: JSONConvertible, JSONMemberList {
    init(object: JSONObject) throws(JSONMemberError)
}

extension InterfaceObject {
    public init(json: JSON) throws(JSONMemberError) { try self.init(object: JSONObject(json: json)) }
    public var json: JSON { .object(object) }
    public func serialize(into bytes: inout [UInt8]) { JSON.serialize(members: self, into: &bytes) }
}

/// The parameters of a call. An unknown member is refused: a mistyped optional parameter must not be ignored silently.
public protocol MethodParameters: InterfaceObject {
    associatedtype Reply: InterfaceObject
    static var method: Interface.Method { get }
}

extension MethodParameters {
    /// Reads the parameters of a call. The standard error for an invalid parameter carries only its name.
    public static func read(_ parameters: JSONObject) throws(InterfaceError) -> Self {
        do throws(JSONMemberError) { return try Self(object: parameters) } catch { throw .invalidParameter(error.path) }
    }
}

/// The release that daemon and client belong to; `postern doctor` compares the two.
public enum Release {
    public static let version = "0.1.0"
}
