import PosternCore
import PosternCrypto
import StrictJSON

/// Seals and opens the store's records.
struct Sealer: Sendable {
    let key: SealingKey
    /// The database file, for error texts.
    let file: String

    /// A profile document may be as deep as the parser allows, and is some levels down in a record.
    private static let depthLimit = JSON.defaultDepthLimit + 16

    func seal(_ record: some Record, at place: SealedColumn) throws(StoreError) -> [UInt8] {
        do throws(CryptoError) { return try key.seal(record.record.serialized, associatedData: place.associatedData) } catch {
            throw StoreError(.internal, file: file, reason: error.description)
        }
    }

    func open<Value: Record>(_ sealed: [UInt8], at place: SealedColumn, as type: Value.Type = Value.self) throws(StoreError) -> Value {
        let text: [UInt8]
        do throws(CryptoError) { text = try key.open(sealed, associatedData: place.associatedData) } catch {
            throw unreadable(place, because: "it was changed, cut, or moved from another row")
        }
        let document: JSONObject?
        do throws(JSONParseError) { document = try JSON(parsing: text, depthLimit: Self.depthLimit).objectValue } catch {
            throw unreadable(place, because: error.description)
        }
        guard let document else { throw unreadable(place, because: "it is not an object") }
        do throws(JSONMemberError) { return try Value(record: document) } catch {
            throw unreadable(place, because: error.description)
        }
    }

    private func unreadable(_ place: SealedColumn, because reason: String) -> StoreError {
        StoreError(.damagedRow, file: file, reason: "a value in \(place) does not open: \(reason)")
    }
}

/// Blind indexes, by which a sealed value is found. Each use has its own, so that equal values in two tables do not show.
extension Sealer {
    func index(providerID: String, subject: String) -> [UInt8] { index("subject", providerID, subject) }

    /// Ignores the case of ASCII's letters, and nothing else: two addresses that differ otherwise may be two people's.
    func index(email: String) -> [UInt8] { index("email", EmailAddress.lowercased(email)) }

    func index(handle: String) -> [UInt8] { index("handle", handle) }

    func index(challenge: String) -> [UInt8] { index("challenge", challenge) }

    func index(attemptsOf subject: String) -> [UInt8] { index("attempts", subject) }

    func index(firebaseProject name: String) -> [UInt8] { index("firebase-project", name) }

    /// Does not depend on a value: the same for every store with the same key, and different with every other one.
    var keyFingerprint: [UInt8] { index("key") }

    private func index(_ parts: String...) -> [UInt8] { key.blindIndex(lengthPrefixed(parts.map { Array($0.utf8) })) }
}
