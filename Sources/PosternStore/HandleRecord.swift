import PosternCore
import StrictJSON

/// What a credential handle stands for, until it is used once or its time is over.
public struct HandleRecord: Sendable, Equatable {
    /// As the program got it; kept as a blind index alone.
    public var handle: Secret
    public var providerID: String
    public var binding: ProviderBinding
    /// The grant, the profile and the nonce that came with it.
    public var credential: CompletedSignIn
    public var expiresAt: Timestamp

    public init(handle: Secret, providerID: String, binding: ProviderBinding, credential: CompletedSignIn, expiresAt: Timestamp) {
        self.handle = handle
        self.providerID = providerID
        self.binding = binding
        self.credential = credential
        self.expiresAt = expiresAt
    }
}

extension HandleRecord {
    init(record: JSONObject, handle: String, expiresAt: Timestamp) throws(JSONMemberError) {
        self.init(
            handle: Secret(handle), providerID: try record.required("providerID"), binding: try record.requiredRecord("binding"),
            credential: try record.requiredRecord("credential"), expiresAt: expiresAt)
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("providerID", providerID)
        record.set("binding", record: binding)
        record.set("credential", record: credential)
        return record
    }
}
