import StrictJSON

/// Why a message is not a call that can be carried out.
public struct VarlinkCallError: Error, Hashable, Sendable {
    /// The error for the caller.
    public var error: VarlinkError
    /// The message is invalid as a whole, and what follows it cannot be trusted: answer, then close.
    public var endsConnection: Bool
    /// The caller wanted no reply, so the error must not be sent either.
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
    /// Parses the message of a call, without its ending.
    ///
    /// An unknown member of the envelope is refused: a mistyped `more` must not be ignored. So is `upgrade`, which would turn the
    /// connection into something else. `null` means not given.
    public init(parsing bytes: UnsafeRawBufferPointer) throws(VarlinkCallError) {
        let message: JSON
        do throws(JSONParseError) { message = try JSON(parsing: bytes) } catch { throw .brokenMessage }
        guard case .object(let envelope) = message else { throw .brokenMessage }
        try self.init(envelope: envelope)
    }

    public init(parsing bytes: [UInt8]) throws(VarlinkCallError) {
        // Not every supported compiler passes typed errors through the closure.
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
        // The first fault is kept until `oneway` is known, wherever in the message that is.
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
        // A caller that wants many replies and none at the same time cannot be answered correctly.
        if more && oneway { throw VarlinkCallError(.invalidParameter("oneway"), endsConnection: true) }
        if let fault { throw VarlinkCallError(.invalidParameter(fault), isSilent: oneway) }
        guard let method, method.utf8.contains(UInt8(ascii: ".")) else {
            throw VarlinkCallError(.invalidParameter("method"), isSilent: oneway)
        }
        self.init(method: method, parameters: parameters, more: more, oneway: oneway)
    }
}
