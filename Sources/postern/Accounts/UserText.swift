import PosternClient

/// A user with all that a person wants to know of them.
enum UserText {
    static func lines(for user: User) -> [String] {
        var table = Table()
        table.add("  user", user.uid)
        if let email = user.email { table.add("  address", email + (user.emailVerified ? ", verified" : ", not verified")) }
        if user.isAnonymous { table.add("  sign-in", "anonymous; postern link PROVIDER makes it lasting") }
        for data in user.providerData { table.add("  provider", provider(data)) }
        for factor in user.secondFactors {
            table.add("  second factor", SecondFactorText.name(factor) + ", since \(factor.enrolledAt) (\(factor.uid))")
        }
        table.add("  since", user.createdAt)
        table.add("  last sign-in", user.lastSignInAt)
        return [PersonText.name(of: user)] + table.lines
    }

    /// `github.com (583231), octo@example.com`
    private static func provider(_ data: ProviderData) -> String {
        guard data.providerID != SignInWay.passwordID else { return "password" }
        return "\(data.providerID) (\(data.uid))" + (data.email.map { ", \($0)" } ?? "")
    }
}
