/// A value on its way into a statement.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    static func blob(orNull bytes: [UInt8]?) -> SQLValue { bytes.map { .blob($0) } ?? .null }
}
