import Glibc
import StrictJSON

/// Bytes that must not be seen: a token, a client secret, a verifier.
///
/// Prints `<redacted>`, compares in constant time, and is wiped when the last reference is gone.
public final class Secret: Sendable {
    /// Written once in `init` and wiped in `deinit`; between the two it is only read, so sharing it is safe.
    private nonisolated(unsafe) let storage: UnsafeMutableRawBufferPointer
    /// Needed each time that it is sent.
    private let isASCII: Bool

    public init(_ bytes: some Collection<UInt8>) {
        storage = .allocate(byteCount: bytes.count, alignment: 1)
        storage.copyBytes(from: bytes)
        // Without a branch for each byte: tokens are long.
        isASCII = storage.reduce(0, |) < 0x80
    }

    public convenience init(_ text: String) { self.init(text.utf8) }

    deinit {
        // Not optimised away, although the memory is freed next.
        if let start = storage.baseAddress { explicit_bzero(start, storage.count) }
        storage.deallocate()
    }

    public var count: Int { storage.count }
    public var isEmpty: Bool { storage.isEmpty }

    /// Lends the bytes; they must not outlive the closure.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(storage))
    }

    /// The secret as text, for the one place that sends it. The copy is not wiped.
    public func reveal() -> String { withBytes { String(decoding: $0, as: UTF8.self) } }

    /// A copy of the bytes, for the one place that needs an array. The copy is not wiped.
    public func revealBytes() -> [UInt8] { withBytes { Array($0) } }
}

extension Secret: Equatable {
    /// Takes as long for a wrong first byte as for a wrong last one; only the length is revealed.
    public static func == (left: Secret, right: Secret) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in 0..<left.count { difference |= left.storage[index] ^ right.storage[index] }
        return difference == 0
    }
}

/// So that a value with a secret can be a key. The hash is valid only in this process (`Hasher` has a random seed), and reveals nothing.
extension Secret: Hashable {
    public func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<redacted>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: JSONConvertible {
    public convenience init(json: JSON) throws(JSONMemberError) { self.init(try String(json: json)) }

    /// A copy that is not wiped; ``serialize(into:)`` makes none.
    public var json: JSON { .string(reveal()) }

    public func serialize(into bytes: inout [UInt8]) {
        withBytes { secret in
            // A secret that is not ASCII may not be UTF-8 either, and would make the whole message invalid: a string repairs it.
            guard isASCII else { return JSON.serialize(String(decoding: secret, as: UTF8.self), into: &bytes) }
            JSON.serialize(utf8: secret, into: &bytes)
        }
    }
}
