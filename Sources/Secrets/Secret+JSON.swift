import StrictJSON

extension Secret: JSONConvertible {
    public convenience init(json: JSON) throws(JSONMemberError) { self.init(try String(json: json)) }

    /// A copy that is not wiped; ``serialize(into:)`` makes none.
    public var json: JSON { .string(reveal()) }

    public func serialize(into bytes: inout [UInt8]) {
        withBytes { secret in
            // What is no ASCII may be no UTF-8 either, and would spoil the whole message: a string repairs it.
            guard secret.allSatisfy({ $0 < 0x80 }) else { return JSON.serialize(String(decoding: secret, as: UTF8.self), into: &bytes) }
            JSON.serialize(utf8: secret, into: &bytes)
        }
    }
}
