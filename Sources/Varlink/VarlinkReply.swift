import StrictJSON

/// One reply, as it stands in a message.
public struct VarlinkReply: Sendable, Hashable {
    public var parameters: JSONObject
    /// Another reply to the same call follows.
    public var continues: Bool

    public init(parameters: JSONObject = JSONObject(), continues: Bool = false) {
        self.parameters = parameters
        self.continues = continues
    }

    /// - Throws: the ``VarlinkError`` that the message holds, or ``VarlinkClientError/malformedReply(_:)``.
    public init(message: JSONObject) throws {
        do throws(JSONMemberError) {
            parameters = try message.optional("parameters") ?? JSONObject()
            continues = try message.optional("continues") ?? false
            if let error: String = try message.optional("error") { throw JSONMemberError(path: error, reason: .unknown) }
        } catch {
            if error.reason == .unknown { throw VarlinkError(name: error.path, parameters: try message.optional("parameters") ?? JSONObject()) }
            throw VarlinkClientError.malformedReply("\(error)")
        }
    }
}
