import PosternCore
import StrictJSON

extension Store {
    private static let spentTokensName = "spent-id-tokens"

    /// As ``signIn(deciding:)``, using up an ID token that a program showed in the same transaction.
    ///
    /// - Parameters:
    ///   - token: its ``SpentTokens/hash(of:cryptography:)``.
    ///   - end: until when it is remembered.
    /// - Returns: nil where it signed somebody in before. Where the decision throws, it stays good.
    public func signIn<Value: Sendable>(
        spending token: [UInt8], until end: Timestamp, now: Timestamp,
        deciding: @Sendable (borrowing AccountSnapshot) throws -> (Value, AccountChanges)
    ) throws -> Value? {
        let tables = try tables
        return try tables.connection.transaction(deciding: {
            var spent = JSONObject()
            for (name, time) in try tables.settings.value(Self.spentTokensName)?.members ?? [] {
                if case .integer(let milliseconds) = time, milliseconds > now.milliseconds { spent[name] = time }
            }
            let name = Base64URL.encode(token)
            guard spent[name] == nil else { return nil }
            spent[name] = .integer(end.milliseconds)
            let (value, changes) = try deciding(tables.snapshot)
            try tables.settings.set(Self.spentTokensName, to: spent)
            try tables.apply(changes)
            return value
        })
    }
}
