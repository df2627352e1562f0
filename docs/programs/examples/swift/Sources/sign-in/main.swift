// Signs in, and prints the user's name and an access token: swift run sign-in github.com
import Glibc
import PosternClient

do {
    let client = PosternClient()
    // Waits for the user.
    let result = try await client.signIn(with: CommandLine.arguments.dropFirst().first ?? "github.com")
    // The account that the user has chosen: others at the provider may also be stored.
    let token = try await client.accessToken(of: result)
    print("hello, \(result.user.displayName ?? result.user.uid)\n\(token)")
} catch {
    let advice = (error as? PosternError)?.advice.map { "\($0)\n" } ?? ""
    let sentence = "\(error)\n\(advice)"
    write(STDERR_FILENO, sentence, sentence.utf8.count)
    exit(1)
}
