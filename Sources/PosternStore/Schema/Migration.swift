/// One step of the schema. A step that was released is never changed; what comes after is another step.
struct Migration: Sendable {
    /// The `user_version` of a store that has it: 1 for the first step, then one more each.
    let version: Int64
    let script: String

    static let all = [Migration.first, .accounts]
}

extension [Migration] {
    var latest: Int64 { map(\.version).max() ?? 0 }
}
