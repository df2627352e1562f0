import PosternCore

/// What is known of the store without asking it: its credentials, and how many users it has.
@DaemonActor
final class Inventory {
    let shelf: CredentialShelf
    private(set) var userCount = 0
    private let store: StoreAccess
    private let events: EventLog

    init(shelf: CredentialShelf, store: StoreAccess, events: EventLog) {
        self.shelf = shelf
        self.store = store
        self.events = events
    }

    /// Everything at once, so that nobody sees an empty shelf beside an open store.
    func replaceAll(credentials: [StoredCredential], users: Int) {
        shelf.replaceAll(credentials)
        userCount = users
    }

    /// An identity signed in: its credential and the number of users are read again, as they stand on disk.
    func changed(_ identity: Identity) async {
        do {
            let store = try store.opened()
            if let credential = try await store.credential(providerID: identity.providerID, subject: identity.subject) {
                shelf.signedIn(credential)
            }
            userCount = try await store.counts().users
        } catch {
            events.report(.storeProblem, "\(error)")
        }
    }

    /// Users came or went.
    func usersChanged() async {
        do { userCount = try await store.opened().counts().users } catch { events.report(.storeProblem, "\(error)") }
    }
}
