import PosternCore

/// One step of the schema. A step that was released is never changed; what comes after is another step.
struct Migration: Sendable {
    /// The `user_version` of a store that has it: 1 for the first step, then one more each.
    let version: Int64
    let script: String
    /// What has to be opened to be changed; run after the script, in the same transaction.
    let rewrite: @Sendable (Connection, Sealer) throws(StoreError) -> Void

    init(
        version: Int64, script: String = "",
        rewrite: @escaping @Sendable (Connection, Sealer) throws(StoreError) -> Void = { _, _ throws(StoreError) in }
    ) {
        self.version = version
        self.script = script
        self.rewrite = rewrite
    }

    static let all = [Migration.first, .accounts, .addressProofs]
}

extension [Migration] {
    var latest: Int64 { map(\.version).max() ?? 0 }
}
