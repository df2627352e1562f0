/// A JSON object that keeps the order of its members.
///
/// Look-up is linear: the objects here have few members, and their order matters to readers.
public struct JSONObject: Sendable {
    public private(set) var members: [(key: String, value: JSON)]

    public init() { members = [] }

    /// For the parser, which has already refused duplicate keys, and for members that are known to differ.
    init(uniqueMembers: [(key: String, value: JSON)]) { members = uniqueMembers }

    public subscript(key: String) -> JSON? {
        get {
            for member in members where Self.isSameKey(member.key, key) { return member.value }
            return nil
        }
        set {
            if let index = members.firstIndex(where: { Self.isSameKey($0.key, key) }) {
                if let newValue { members[index].value = newValue } else { members.remove(at: index) }
            } else if let newValue {
                members.append((key, newValue))
            }
        }
    }

    /// The same keys in the same order, with other values.
    public func mapValues(_ transform: (_ key: String, _ value: JSON) -> JSON) -> JSONObject {
        JSONObject(uniqueMembers: members.map { (key: $0.key, value: transform($0.key, $0.value)) })
    }

    public var count: Int { members.count }
    public var isEmpty: Bool { members.isEmpty }
    public var keys: [String] { members.map(\.key) }

    /// Swift treats strings as equal if Unicode calls them equivalent, for example the Kelvin sign and "K". To a sender
    /// these are two keys. No equivalent of ASCII text has the same length in bytes, and our own keys are ASCII.
    @inline(__always)
    static func isSameKey(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left == right
    }
}

extension JSONObject: Hashable {
    /// Order is not significant (RFC 8259 section 4).
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        var sum = 0
        for member in members { sum ^= member.key.hashValue }
        hasher.combine(sum)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self.init()
        for (key, value) in elements { self[key] = value }
    }
}
