import StrictJSON

extension VarlinkReply {
    /// Parses the message of a reply, without its ending. Unknown members are ignored: the service may be newer than we are.
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
