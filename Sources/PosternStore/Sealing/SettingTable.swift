import PosternCore

/// Small documents that are obtained once and kept, each with a name.
struct SettingTable: SealedTable {
    let connection: Connection
    let sealer: Sealer

    func value<Value: Record>(_ name: String, as type: Value.Type = Value.self) throws(StoreError) -> Value? {
        try first("SELECT sealed FROM settings WHERE name = ?", [.text(name)], at: SealedColumn(.setting, name))
    }

    func set(_ name: String, to value: (some Record)?) throws(StoreError) {
        guard let value else {
            try connection.run("DELETE FROM settings WHERE name = ?", [.text(name)])
            return
        }
        let sealed = try sealer.seal(value, at: SealedColumn(.setting, name))
        try connection.run(
            "INSERT INTO settings (name, sealed) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET sealed = ?2",
            [.text(name), .blob(sealed)])
    }
}
