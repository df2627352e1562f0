import PosternCore
import StrictJSON

extension Store {
    private static let registrationsName = "client-registrations"

    /// The clients that providers registered (RFC 7591).
    public func registeredClients() throws(StoreError) -> [RegisteredClient] {
        guard let document = try setting(Self.registrationsName) else { return [] }
        do throws(JSONMemberError) { return try RegisteredClients(record: document).clients } catch {
            throw StoreError(.damagedRow, file: try tables.sealer.file, reason: "the registered clients cannot be read: \(error)")
        }
    }

    /// In place of those that were kept before.
    public func keep(registeredClients clients: [RegisteredClient]) throws(StoreError) {
        try setSetting(Self.registrationsName, to: clients.isEmpty ? nil : RegisteredClients(clients).record)
    }
}
