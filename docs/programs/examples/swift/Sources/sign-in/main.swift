// Prints an access token of the person's account, who signs in first if there is none: swift run sign-in github.com
import Glibc
import PosternClient

do {
    // The name of a provider, or of an account in the configuration.
    let name = CommandLine.arguments.dropFirst().first ?? "github.com"
    let token = try await PosternClient().tokenOrSignIn(with: name)
    print("the account is \(token.who)\n\(token.accessToken)")
} catch {
    let advice = (error as? PosternError)?.advice.map { "\($0)\n" } ?? ""
    let sentence = "\(error)\n\(advice)"
    write(STDERR_FILENO, sentence, sentence.utf8.count)
    exit(1)
}
