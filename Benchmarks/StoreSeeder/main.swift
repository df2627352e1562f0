import Glibc
import PosternCore
import PosternStore

// Makes a store of that many users, each with an account at four providers, and prints handles of credentials that sign in to it:
// half of them known accounts of users in no order, the other half accounts that nobody has. Only an app keeps the users' credentials.
//
// usage: store-seeder DIRECTORY USERS HANDLES [with-credentials]

let arguments = CommandLine.arguments
guard arguments.count >= 4, let users = Int(arguments[2]), users > 0, let handles = Int(arguments[3]) else {
    print("usage: store-seeder DIRECTORY USERS HANDLES [with-credentials]")
    exit(64)
}
let keepsCredentials = arguments.count > 4
let providers = ["google.com", "github.com", "twitter.com", "facebook.com"]
let now = Timestamp(milliseconds: Int64(time(nil)) * 1000)
let binding = ProviderBinding(clientID: "client", authority: "https://accounts.example.com")

func identity(_ number: Int, at provider: String) -> Identity {
    Identity(
        providerID: provider, subject: "\(1_000_000_000 + number)", displayName: "Person \(number)", email: "person\(number)@example.com",
        emailVerified: true, photoURL: "https://photos.example.com/\(number)", username: "person\(number)")
}

func user(_ number: Int) -> User {
    let digits = String(number)
    return User(
        uid: String(repeating: "u", count: 28 - digits.count) + digits, displayName: "Person \(number)",
        email: "person\(number)@example.com", addressProof: .provider, photoURL: "https://photos.example.com/\(number)",
        identities: providers.map { identity(number, at: $0) }, createdAt: now, lastSignInAt: now)
}

func grant(_ number: Int) -> Grant {
    Grant(
        accessToken: Secret("access-\(number)-\(String(repeating: "a", count: 40))"), tokenType: "bearer",
        expiresAt: now.adding(seconds: 3600), refreshToken: Secret("refresh-\(number)-\(String(repeating: "r", count: 40))"),
        scopes: ["openid", "email", "profile"], obtainedAt: now)
}

let store = try Store.open(directory: arguments[1], key: KeyChoice(.file))
for first in stride(from: 0, to: users, by: 500) {
    let numbers = first..<min(first + 500, users)
    try await store.apply(numbers.map { AccountChanges(upsertUser: user($0)) })
    guard keepsCredentials else { continue }
    try await store.apply(
        numbers.flatMap { number in
            user(number).identities.map { identity in
                AccountChanges(
                    credential: .grant(
                        StoredCredential(
                            providerID: identity.providerID, subject: identity.subject, displayName: identity.displayName, binding: binding,
                            grant: grant(number), keepers: CredentialKeepers(.app("default")), generation: 0)))
            }
        })
}
for index in 0..<handles {
    // Every other one is known; a stride without a common factor goes through all of them.
    let number = index.isMultiple(of: 2) ? index * 7919 % users : users + index
    let profile = ProviderProfile(identity: identity(number, at: providers[index / 2 % 4]), document: ["sub": .string("\(number)")])
    let handle = "handle-\(index)-\(users)"
    try await store.add(
        HandleRecord(
            handle: Secret(handle), providerID: profile.identity.providerID, binding: binding,
            credential: CompletedSignIn(
                grant: grant(number), profile: profile, proof: Proof(.page, seenAt: now), rawNonce: nil, user: nil, isNewUser: false),
            app: "default", expiresAt: now.adding(seconds: 3600)))
    print(handle)
}
await store.close()
