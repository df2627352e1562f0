import CSystemd

/// The secrets with certain attributes in the desktop's keyring, over the Secret Service (specifications.freedesktop.org/secret-service).
///
/// Each call blocks for at most three seconds, and shows no prompt: a locked keyring is an answer.
public struct SecretService: Sendable {
    public enum Failure: Error, Sendable, Hashable {
        /// No bus, no service on it, or no answer.
        case notAvailable(BusError)
        /// The keyring, or the item in it, is locked.
        case locked
        /// There is no collection for new secrets.
        case noCollection
    }

    private static let name = "org.freedesktop.secrets"
    private static let root = "/org/freedesktop/secrets"
    private static let service = "org.freedesktop.Secret.Service"

    private let attributes: [(String, String)]
    private let label: String

    /// - Parameter attributes: for finding the item again; one with additional attributes is found, too.
    public init(label: String, attributes: [(String, String)]) {
        self.label = label
        self.attributes = attributes
    }

    /// - Returns: the contents of all such items that can be read; empty if the keyring is open and has none.
    public func find() throws(Failure) -> [[UInt8]] {
        try Self.onBus { bus throws(BusError) in
            let session = try openSession(bus)
            var secrets: [[UInt8]] = []
            for item in try items(bus) { secrets.append(try secret(of: item, session: session, bus)) }
            return secrets
        }
    }

    /// - Returns: how many items there were.
    public func remove() throws(Failure) -> Int {
        try Self.onBus { bus throws(BusError) in
            let items = try items(bus)
            for item in items {
                let prompt = try bus.call(Self.name, item, "org.freedesktop.Secret.Item", "Delete") { reply throws(BusError) in
                    try reply.object()
                }
                try Self.checkPrompt(prompt)
            }
            return items.count
        }
    }

    /// - Throws: if there are such items, and all are locked.
    private func items(_ bus: Bus) throws(BusError) -> [String] {
        let (unlocked, locked) = try search(bus)
        guard !unlocked.isEmpty || locked.isEmpty else { throw BusError(name: Self.isLocked, reason: "the item is locked") }
        return unlocked
    }

    /// Stores the secret, replacing one with the same attributes.
    public func save(_ secret: [UInt8]) throws(Failure) {
        try Self.onBus { bus throws(BusError) in
            let session = try openSession(bus)
            let collection = try defaultCollection(bus)
            guard collection != "/" else { throw BusError(name: Self.noCollection, reason: "there is no default collection") }
            guard try !isLocked(collection, bus) else { throw BusError(name: Self.isLocked, reason: "the collection is locked") }
            try createItem(secret, in: collection, session: session, bus)
        }
    }

    private static let isLocked = "org.freedesktop.Secret.Error.IsLocked"
    private static let noCollection = "io.postern.NoCollection"

    private static func onBus<Value>(_ body: (Bus) throws(BusError) -> Value) throws(Failure) -> Value {
        do throws(BusError) { return try body(try Bus()) } catch {
            switch error.name {
            case isLocked: throw .locked
            case noCollection: throw .noCollection
            default: throw .notAvailable(error)
            }
        }
    }

    /// Secrets are not encrypted on the bus, which is the user's own socket.
    private func openSession(_ bus: Bus) throws(BusError) -> String {
        try bus.call(Self.name, Self.root, Self.service, "OpenSession") { message in
            message.strings("plain")
            message.container(.variant, "s") { message.strings("") }
        } read: { reply throws(BusError) in
            try reply.skip("v")
            return try reply.object()
        }
    }

    private func search(_ bus: Bus) throws(BusError) -> (unlocked: [String], locked: [String]) {
        try bus.call(Self.name, Self.root, Self.service, "SearchItems") { message in
            appendAttributes(message)
        } read: { reply throws(BusError) in
            (try reply.array(of: "o"), try reply.array(of: "o"))
        }
    }

    private func secret(of item: String, session: String, _ bus: Bus) throws(BusError) -> [UInt8] {
        try bus.call(Self.name, item, "org.freedesktop.Secret.Item", "GetSecret") { message in
            message.append { postern_bus_append_object($0, session) }
        } read: { reply throws(BusError) in
            try reply.enter(.structure, "oayays")
            try reply.skip("oay")
            var bytes: UnsafeRawPointer?
            var count = 0
            try reply.check(sd_bus_message_read_array(reply.message, CChar(UInt8(ascii: "y")), &bytes, &count))
            return bytes.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
        }
    }

    private func defaultCollection(_ bus: Bus) throws(BusError) -> String {
        try bus.call(Self.name, Self.root, Self.service, "ReadAlias") { message in
            message.strings("default")
        } read: { reply throws(BusError) in
            try reply.object()
        }
    }

    private func isLocked(_ collection: String, _ bus: Bus) throws(BusError) -> Bool {
        try bus.call(Self.name, collection, "org.freedesktop.DBus.Properties", "Get") { message in
            message.strings("org.freedesktop.Secret.Collection", "Locked")
        } read: { reply throws(BusError) in
            var value: Int32 = 1
            try reply.enter(.variant, "b")
            try reply.check(postern_bus_read_boolean(reply.message, &value))
            return value != 0
        }
    }

    private func createItem(_ secret: [UInt8], in collection: String, session: String, _ bus: Bus) throws(BusError) {
        let prompt = try bus.call(Self.name, collection, "org.freedesktop.Secret.Collection", "CreateItem") { message in
            message.container(.array, "{sv}") {
                message.property("org.freedesktop.Secret.Item.Label", label)
                message.property("org.freedesktop.Secret.Item.Attributes", "a{ss}") { appendAttributes(message) }
            }
            message.container(.structure, "oayays") {
                message.append { postern_bus_append_object($0, session) }
                message.append { sd_bus_message_append_array($0, CChar(UInt8(ascii: "y")), nil, 0) }
                message.append { message in
                    secret.withUnsafeBytes { sd_bus_message_append_array(message, CChar(UInt8(ascii: "y")), $0.baseAddress, $0.count) }
                }
                message.strings("text/plain")
            }
            message.append { postern_bus_append_boolean($0, 1) }
        } read: { reply throws(BusError) in
            _ = try reply.object()
            return try reply.object()
        }
        try Self.checkPrompt(prompt)
    }

    /// A prompt needs a user; there may be none.
    private static func checkPrompt(_ prompt: String) throws(BusError) {
        if prompt != "/" { throw BusError(name: isLocked, reason: "the keyring asks for a password") }
    }

    private func appendAttributes(_ message: BusWriter) {
        message.container(.array, "{ss}") {
            for (key, value) in attributes { message.container(.entry, "ss") { message.strings(key, value) } }
        }
    }
}
