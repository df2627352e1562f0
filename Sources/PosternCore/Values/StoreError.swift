/// Why a store operation failed. Names the file and what to try; never contains a secret or an address.
public struct StoreError: Error, Hashable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        /// The file or directory cannot be opened or created.
        case cannotOpen
        /// Others can enter the state directory, or it, or a file in it, belongs to somebody else.
        case refused
        /// The file is not what was written. Nothing in it was changed.
        case damaged
        /// One row cannot be decrypted; the others still can.
        case damagedRow
        /// The key is not the one that the store was sealed with.
        case wrongKey
        /// The key is not where it was when the store was created.
        case keyMissing
        /// There is a key, but it cannot be trusted or read: its permissions, owner or format.
        case keyRefused
        /// What keeps the key (a keyring, a command) does not answer, or is locked.
        case keyUnavailable
        /// Nobody has given the passphrase that the store was created with.
        case passphraseNeeded
        case wrongPassphrase
        /// A store is to be created with a passphrase, but none was given, or one that is easily guessed.
        case weakPassphrase
        /// A passphrase was given for a store whose key is elsewhere.
        case passphraseUnwanted
        /// The user locked it.
        case sealedOff
        /// A later version of the program created the file.
        case newerSchema
        /// A version from before the first release created the file.
        case olderSchema
        /// The disk is full, or a quota is used up.
        case full
        /// Another daemon uses the directory.
        case locked
        /// Another program is reading the file.
        case busy
        case io
        case readOnly
        case outOfMemory
        /// The system could not create a thread to open it on; nothing is wrong with the store.
        case noThread
        /// The change contradicts what is stored: an identity of another user, an unknown user.
        case conflict
        /// The session is unknown, or is not in the phase that the change needs.
        case sessionOver
        /// The store was closed.
        case closed
        /// The client had gone before the store began. Nothing was changed.
        case withdrawn
        /// An error of our own, kept separate so that it is noticed.
        case `internal`
    }

    public var kind: Kind
    /// The file or directory that it is about.
    public var file: String
    /// What was wrong.
    public var reason: String
    /// What to try.
    public var advice: String

    public init(_ kind: Kind, file: String, reason: String, advice: String? = nil) {
        self.kind = kind
        self.file = file
        self.reason = reason
        self.advice = advice ?? kind.advice
    }
}

extension StoreError: CustomStringConvertible {
    public var description: String {
        // Somebody locked it, which has nothing to do with its file.
        let subject = kind == .sealedOff || (kind == .passphraseNeeded && file == "the store") ? file : "\(file):"
        return "\(subject) \(reason); \(advice)"
    }
}

extension StoreError.Kind {
    /// What to try, if the code that reports the error knows nothing better.
    public var advice: String {
        switch self {
        case .cannotOpen: "check that the path is right and can be written"
        case .refused: "make it accessible only to the user that runs the daemon"
        case .damaged, .damagedRow: "keep a copy, then restore a backup, or move the file away to start with a new store"
        case .wrongKey: "restore the key that the store was made with, or move the store away to start with a new one"
        case .keyMissing: "put the key back where it was, or move the store away to start with a new one"
        case .keyRefused: "restore the key from a backup"
        case .keyUnavailable: "unlock it; the next call opens the store"
        case .passphraseNeeded, .weakPassphrase, .sealedOff: "open it with: postern unlock"
        case .wrongPassphrase: "check for typos, then try again"
        case .passphraseUnwanted: "unlock it without one"
        case .newerSchema: "install the newer version again, or start with another state directory"
        case .olderSchema: "move postern.db away and sign in again: a new store is then made"
        case .full: "free some space, then try again"
        case .locked: "stop the other daemon, or start with another state directory"
        case .busy: "close the program that has the file open, then try again"
        case .io: "check the disk and the system's log, then try again"
        case .readOnly: "make the file and its directory writable"
        case .outOfMemory: "free some memory, then try again"
        case .noThread: "end some programs, then try again"
        case .conflict: "read the current state and decide again"
        case .sessionOver: "begin a new sign-in"
        case .closed: "open the store again"
        case .withdrawn: "ask again"
        case .internal: "report this as a bug"
        }
    }
}

/// The rows of a table that can be decrypted, and the errors of those that cannot: one bad row hides no other.
public struct Listing<Value: Sendable>: Sendable {
    public var values: [Value] = []
    /// Each of the kind ``StoreError/Kind/damagedRow``.
    public var damaged: [StoreError] = []

    public init() {}
}
