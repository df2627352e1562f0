import TOML

extension Fuzz {
    /// Configuration files.
    static func toml(_ bytes: [UInt8]) {
        _ = try? TOMLTable(parsing: bytes)
    }
}
