import StrictJSON

/// Why a message is not a call that can be carried out.
public struct VarlinkCallError: Error, Hashable, Sendable {
    /// What the caller is told.
    public var error: VarlinkError
    /// The message is broken as a whole, and what follows it cannot be trusted: answer, then close.
    public var endsConnection: Bool
    /// The caller asked for no reply, so the error must not be sent either.
    public var isSilent: Bool

    init(_ error: VarlinkError, endsConnection: Bool = false, isSilent: Bool = false) {
        self.error = error
        self.endsConnection = endsConnection
        self.isSilent = isSilent
    }

    /// Not JSON, not an object, or too large.
    public static let brokenMessage = VarlinkCallError(.invalidParameter("message"), endsConnection: true)
}

extension VarlinkCall {
    /// Reads the message of a call, without its ending.
    ///
    /// A member of the envelope that is not known is refused: a mistyped `more` must not pass in silence. So is
    /// `upgrade`, which would turn the connection into something else. `null` means not given.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(VarlinkCallError) {
        let message: JSON
        do throws(JSONParseError) { message = try JSON(parsing: bytes) } catch { throw .brokenMessage }
        guard case .object(let envelope) = message else { throw .brokenMessage }
        try self.init(envelope: envelope)
    }

    public init(parsing bytes: [UInt8]) throws(VarlinkCallError) {
        // Typed errors do not pass through the closure on every supported compiler.
        let result: Result<VarlinkCall, VarlinkCallError> = bytes.withUnsafeBytes { buffer in
            do throws(VarlinkCallError) { return .success(try VarlinkCall(parsing: buffer)) } catch { return .failure(error) }
        }
        self = try result.get()
    }

    private init(envelope: JSONObject) throws(VarlinkCallError) {
        var method: String?
        var parameters = JSONObject()
        var more = false
        var oneway = false
        // The first fault is kept until `oneway` is known, wherever in the message it stands.
        var fault: String?
        for (key, value) in envelope.members {
            switch (key, value) {
            case ("method", .string(let name)): method = name
            case ("parameters", .object(let object)): parameters = object
            case ("more", .bool(let flag)): more = flag
            case ("oneway", .bool(let flag)): oneway = flag
            case ("parameters", .null), ("more", .null), ("oneway", .null), ("upgrade", .null), ("upgrade", .bool(false)): break
            default: fault = fault ?? key
            }
        }
        // A caller that waits for many replies and for none at once cannot be answered rightly.
        if more && oneway { throw VarlinkCallError(.invalidParameter("oneway"), endsConnection: true) }
        if let fault { throw VarlinkCallError(.invalidParameter(fault), isSilent: oneway) }
        guard let method, method.utf8.contains(UInt8(ascii: ".")) else {
            throw VarlinkCallError(.invalidParameter("method"), isSilent: oneway)
        }
        self.init(method: method, parameters: parameters, more: more, oneway: oneway)
    }
}
