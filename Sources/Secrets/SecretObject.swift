import Glibc
import StrictJSON

/// An object with secrets in it, serialised once to be sent many times. Its text is wiped when the last reference is gone.
public struct SecretObject: JSONMembers {
    private let text: Secret

    public init(_ members: some JSONMembers) {
        var bytes: [UInt8] = []
        JSON.serialize(members: members, into: &bytes)
        text = Secret(bytes)
        bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
    }

    public func serializeObject(into bytes: inout [UInt8]) { text.withBytes { bytes.append(contentsOf: $0) } }

    public var object: JSONObject {
        // What was written as an object can be parsed as one.
        guard case .object(let object)? = try? text.withBytes({ try JSON(parsing: $0) }) else { return JSONObject() }
        return object
    }
}
