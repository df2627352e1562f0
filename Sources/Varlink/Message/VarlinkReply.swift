import StrictJSON

/// A reply to a call: parameters, perhaps with more to come, or an error.
public enum VarlinkReply: Sendable, Hashable {
    /// `continues` is true only for a call with `more`, and says that this reply is not the last.
    case parameters(JSONObject, continues: Bool)
    case error(VarlinkError)
}

extension VarlinkReply {
    /// Appends the message without its ending.
    public func serialize(into bytes: inout [UInt8]) {
        switch self {
        case .parameters(let parameters, let continues):
            bytes.append(contentsOf: "{\"parameters\":".utf8)
            parameters.serialize(into: &bytes)
            Self.close(continues, &bytes)
        case .error(let error):
            bytes.append(contentsOf: "{\"error\":".utf8)
            JSON.string(error.name).serialize(into: &bytes)
            bytes.append(contentsOf: ",\"parameters\":".utf8)
            error.parameters.serialize(into: &bytes)
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Appends the message for parameters that are JSON text already: one object, without a bare control character.
    package static func serialize(_ parameters: [UInt8], continues: Bool, into bytes: inout [UInt8]) {
        bytes.append(contentsOf: "{\"parameters\":".utf8)
        bytes.append(contentsOf: parameters)
        close(continues, &bytes)
    }

    private static func close(_ continues: Bool, _ bytes: inout [UInt8]) {
        bytes.append(contentsOf: (continues ? ",\"continues\":true}" : "}").utf8)
    }

    /// Reads the message of a reply, without its ending. Unknown members are ignored: the service may be newer than we are.
    ///
    /// - Throws: `VarlinkClientError.protocolViolation`.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(VarlinkClientError) {
        let message: JSON
        do throws(JSONParseError) { message = try JSON(parsing: bytes) } catch {
            throw .protocolViolation("a reply is \(error)")
        }
        guard case .object(let envelope) = message else { throw .protocolViolation("a reply is \(message.typeName)") }
        do throws(JSONMemberError) {
            let parameters = try envelope.optional("parameters", as: JSONObject.self) ?? [:]
            if let name = try envelope.optional("error", as: String.self) {
                self = .error(VarlinkError(name: name, parameters: parameters))
            } else {
                self = .parameters(parameters, continues: try envelope.optional("continues", as: Bool.self) ?? false)
            }
        } catch { throw .protocolViolation("in a reply \(error)") }
    }
}
