import StrictJSON

/// A reply to a call: parameters, perhaps with more to come, or an error.
public enum VarlinkReply: Sendable, Hashable {
    /// `continues` is true only for a call with `more`, if this reply is not the last.
    case parameters(JSONObject, continues: Bool)
    case error(VarlinkError)
}

extension VarlinkReply {
    /// Appends the message of a reply, without its ending and without creating an object for its parameters.
    package static func serialize(_ parameters: some JSONMembers, continues: Bool, into bytes: inout [UInt8]) {
        bytes.append(contentsOf: "{\"parameters\":".utf8)
        JSON.serialize(members: parameters, into: &bytes)
        bytes.append(contentsOf: (continues ? ",\"continues\":true}" : "}").utf8)
    }

    /// Appends the message of an error, without its ending.
    package static func serialize(error name: String, _ parameters: some JSONMembers, into bytes: inout [UInt8]) {
        bytes.append(contentsOf: "{\"error\":".utf8)
        JSON.serialize(name, into: &bytes)
        bytes.append(contentsOf: ",\"parameters\":".utf8)
        JSON.serialize(members: parameters, into: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }
}
