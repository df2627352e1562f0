import StrictJSON

/// A second factor that the user enrolled.
extension Interface {
    public struct SecondFactor: InterfaceObject, Hashable {
        public enum FactorID: String, JSONConvertible, CaseIterable {
            case totp, phone
        }

        public var factorID: FactorID
        public var uid: String
        public var displayName: String?
        /// Masked, as in "+81 ***-***-1234".
        public var phoneNumber: String?
        /// RFC 3339, UTC.
        public var enrolledAt: String

        public init(factorID: FactorID, uid: String, displayName: String? = nil, phoneNumber: String? = nil, enrolledAt: String) {
            self.factorID = factorID
            self.uid = uid
            self.displayName = displayName
            self.phoneNumber = phoneNumber
            self.enrolledAt = enrolledAt
        }
    }
}

extension Interface.SecondFactor {
    public init(object: JSONObject) throws(JSONMemberError) {
        factorID = try object.required("factorID")
        uid = try object.required("uid")
        displayName = try object.optional("displayName")
        phoneNumber = try object.optional("phoneNumber")
        enrolledAt = try object.required("enrolledAt")
    }

    public var object: JSONObject {
        var object = JSONObject()
        object.set("factorID", factorID)
        object.set("uid", uid)
        object.set("displayName", displayName)
        object.set("phoneNumber", phoneNumber)
        object.set("enrolledAt", enrolledAt)
        return object
    }
}
