import PosternCore
import StrictJSON

/// ID tokens that programs presented and that signed somebody in: each does so once, even after restarts.
struct SpentTokenList {
    private static let settingName = "spent-id-tokens"
    let settings: SettingTable

    func contains(_ hash: [UInt8], now: Timestamp) throws(StoreError) -> Bool { try current(now)[Base64URL.encode(hash)] != nil }

    /// To be called inside a transaction.
    func add(_ token: SpentToken, now: Timestamp) throws(StoreError) {
        var spent = try current(now)
        spent[Base64URL.encode(token.hash)] = .integer(token.until.milliseconds)
        try settings.set(Self.settingName, to: spent)
    }

    /// Without the expired ones: those are refused for their age.
    private func current(_ now: Timestamp) throws(StoreError) -> JSONObject {
        var spent = JSONObject()
        for (name, time) in try settings.value(Self.settingName, as: JSONObject.self)?.members ?? [] {
            if case .integer(let milliseconds) = time, milliseconds > now.milliseconds { spent[name] = time }
        }
        return spent
    }
}
