import PosternCore
import StrictJSON

extension RegisteredClient: Record {
    init(record: JSONObject) throws(JSONMemberError) {
        guard let authentication = ClientAuthentication(rawValue: try record.required("authentication")) else {
            throw JSONMemberError(path: "authentication", reason: .notAllowed("is unknown"))
        }
        self.init(
            providerID: try record.required("providerID"), registrar: try record.required("registrar"),
            redirectURI: try record.required("redirectURI"), scopes: try record.required("scopes"),
            returnsFromEndSession: try record.required("returnsFromEndSession"), clientID: try record.required("clientID"),
            clientSecret: try record.optionalSecret("clientSecret"),
            authentication: authentication, secretExpiresAt: try record.optionalMoment("secretExpiresAt"))
    }

    var record: JSONObject {
        var record = JSONObject()
        record.set("providerID", providerID)
        record.set("registrar", registrar)
        record.set("redirectURI", redirectURI)
        record.set("scopes", scopes)
        record.set("returnsFromEndSession", returnsFromEndSession)
        record.set("clientID", clientID)
        record.set("clientSecret", secret: clientSecret)
        record.set("authentication", authentication.rawValue)
        record.set("secretExpiresAt", moment: secretExpiresAt)
        return record
    }
}

/// All of them, in the one setting that stores them.
struct RegisteredClients: Record {
    let clients: [RegisteredClient]

    init(_ clients: [RegisteredClient]) { self.clients = clients }

    init(record: JSONObject) throws(JSONMemberError) { clients = try record.requiredRecords("clients") }

    var record: JSONObject {
        var record = JSONObject()
        record.set("clients", clients.map(\.record))
        return record
    }
}
