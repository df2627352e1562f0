import PosternCore
import PosternCrypto
import StrictJSON

/// What a store records about its own key, in the table `meta`: where it is kept, and how to recognise it.
///
/// Two marks, a fingerprint and a sealed value, so that a wrong key (neither matches) can be distinguished from a damaged file (one does).
enum KeyCheck {
    private static let sealedValue: JSONObject = ["purpose": "postern store key check"]
    private static let place = SealedColumn(.keyCheck, "key_check")

    /// To be called inside the transaction that creates the store.
    static func write(_ source: KeySource, sealer: Sealer, to connection: Connection) throws(StoreError) {
        var rows: [(String, SQLValue)] = [
            ("key_source", .text(source.word)),
            ("key_fingerprint", .blob(sealer.keyFingerprint)),
            ("key_check", .blob(try sealer.seal(sealedValue, at: place))),
        ]
        if case .passphrase(let wrapping) = source { rows.append(("key_wrapping", .blob(wrapping.record.serialized))) }
        for (name, value) in rows {
            try connection.run("INSERT INTO meta (name, value) VALUES (?, ?)", [.text(name), value])
        }
    }

    static func source(in connection: Connection) throws(StoreError) -> KeySource {
        let word = try value("key_source", in: connection, read: Row.onlyText)
        if word == KeySource.passphraseWord { return .passphrase(try wrapping(in: connection)) }
        guard let source = KeySource(word: word) else {
            throw StoreError(
                .keyUnavailable, file: connection.file, reason: "this version does not know how the store's key is kept",
                advice: "install the version that made the store")
        }
        return source
    }

    private static func wrapping(in connection: Connection) throws(StoreError) -> KeyWrapping {
        let bytes = try value("key_wrapping", in: connection, read: Row.onlyBlob)
        guard case .object(let document)? = try? JSON(parsing: bytes), let wrapping = try? KeyWrapping(record: document) else {
            throw damaged(connection.file)
        }
        return wrapping
    }

    /// The sealer for the one of these keys that the store was sealed with.
    static func sealer(
        among keys: [SealingKey], from source: KeySource, in connection: Connection
    ) throws(StoreError) -> Sealer {
        var wrong = StoreError(.keyMissing, file: connection.file, reason: "\(source) has no key of the store")
        for key in keys {
            let sealer = Sealer(key: key, file: connection.file)
            do throws(StoreError) {
                try verify(source, sealer: sealer, in: connection)
                return sealer
            } catch {
                guard error.kind == .wrongKey else { throw error }
                wrong = error
            }
        }
        throw wrong
    }

    private static func verify(_ source: KeySource, sealer: Sealer, in connection: Connection) throws(StoreError) {
        let fingerprint = try value("key_fingerprint", in: connection, read: Row.onlyBlob)
        let sealed = try value("key_check", in: connection, read: Row.onlyBlob)
        let isSame = fingerprint == sealer.keyFingerprint
        // Any cryptographic failure counts as "does not open"; which one does not matter here.
        let opens = (try? sealer.open(sealed, at: place) as JSONObject) == sealedValue
        switch (isSame, opens) {
        case (true, true): return
        case (false, false):
            throw StoreError(.wrongKey, file: connection.file, reason: "the key in \(source) is not the one that the store was sealed with")
        default: throw damaged(connection.file)
        }
    }

    private static func value<Value>(
        _ name: String, in connection: Connection, read: (borrowing Row) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let found: Value?
        do throws(StoreError) {
            found = try connection.first("SELECT value FROM meta WHERE name = ?", [.text(name)], read: read)
        } catch {
            // Without this row there is no store that the others could belong to.
            throw error.kind == .damagedRow ? damaged(connection.file) : error
        }
        guard let found else { throw damaged(connection.file) }
        return found
    }

    private static func damaged(_ file: String) -> StoreError {
        StoreError(.damaged, file: file, reason: "the store's record of its key was changed or is missing")
    }
}
