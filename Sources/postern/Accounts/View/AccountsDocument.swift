import PosternClient
import StrictJSON

/// The view for programs.
enum AccountsDocument {
    static func write(_ view: AccountsView) throws {
        try StandardOutput.write(documentWith: "accounts", count: count(of: view), { .object(element($0, of: view)) }, rest(of: view))
    }

    static func count(of view: AccountsView) -> Int { view.ownCount + view.otherCount }

    static func element(_ index: Int, of view: AccountsView) -> JSONObject {
        object(of: index < view.ownCount ? view.ownLine(index) : view.otherLine(index - view.ownCount))
    }

    static func rest(of view: AccountsView) -> JSONObject {
        let users = view.users.map { each -> JSON in .object(["app": .string(each.app), "user": .object(each.user.object)]) }
        return ["users": .array(users)]
    }

    private static func object(of line: AccountLine) -> JSONObject {
        var object: JSONObject = ["providerID": .string(line.providerID), "providerName": .string(line.providerName)]
        func put(_ key: String, _ text: String?) { if let text { object[key] = .string(text) } }
        // What commands take in its place.
        put("name", line.word)
        put("account", line.name)
        put("uid", line.credential?.uid)
        put("displayName", line.credential?.displayName)
        put("email", line.credential?.email)
        let state = line.credential?.state ?? .signInNeeded
        object["state"] = .string(state.rawValue)
        put("reason", line.credential == nil ? "nobody is signed in" : line.credential?.reason)
        put("endsAt", line.credential?.endsAt)
        put("expiresAt", line.credential?.expiresAt)
        put("renewalAdvice", line.credential?.renewalAdvice)
        object["refreshable"] = .bool(line.credential?.refreshable ?? false)
        object["meantByProvider"] = .bool(line.isMeantByProvider || line.word == line.providerID)
        object["urls"] = .array(line.urls.map { .string($0) })
        object["person"] = .bool(line.isKeptByPerson)
        object["apps"] = .array(line.apps.map { .string($0) })
        if line.isKeptByPerson, state != .good { object["command"] = .string(line.signIn) }
        return object
    }
}
