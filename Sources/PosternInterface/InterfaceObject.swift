import StrictJSON

/// A value of the interface that stands as an object in a message.
///
/// Members without a value are left out; `null` is read as not given. Replies and what they hold ignore members that they
/// do not know, so that an older client can read a newer daemon; what a client sends is read strictly.
public protocol InterfaceObject: JSONConvertible, JSONMembers {
    init(object: JSONObject) throws(JSONMemberError)
}

extension InterfaceObject {
    public init(json: JSON) throws(JSONMemberError) { try self.init(object: JSONObject(json: json)) }
    public var json: JSON { .object(object) }
    public func serialize(into bytes: inout [UInt8]) { JSON.serialize(members: self, into: &bytes) }
}

/// What a call carries. A member that is not known is refused: a mistyped optional parameter must not pass in silence.
public protocol MethodParameters: InterfaceObject {
    associatedtype Reply: InterfaceObject
    static var method: Interface.Method { get }
}
