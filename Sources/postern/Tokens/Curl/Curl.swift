import PosternClient
import ProgramOptions

struct Curl: DaemonCommand {
    static let name = "curl"
    static let abstract = "Run curl with the authorization of the account that the URL is for."
    static let usage: String? =
        "postern curl [--account <account>] [--scope <scope>] ... [--step-up] [--socket <path>] <curl options> <url> ..."
    static let discussion = """
        Postern's options go first, curl's follow. --account takes what postern token takes: a provider, or the name of an account in the \
        configuration. The header goes only to URLs that the account's tokens are for (postern provider \
        show, and serves and for in the configuration): a bearer token, a proof of the key that a token is bound to (DPoP), or a \
        signature (OAuth 1.0a). It is in no argument and in no file. If --location leads to another server, curl leaves it out. curl \
        options that could send it elsewhere, or show it, are refused, and .curlrc is not read.

        If the server refuses the token (401, or 403 with a challenge), and the request can be sent again, its answer is held back: the \
        daemon renews the token, or makes the proof that the server demands, and the request is sent once more. If only you can help, the \
        answer is printed, with curl's status, and then what to do. With --step-up on a terminal you sign in at once, after it is shown \
        what is asked for. A request with a body from standard input or a pipe, with several URLs, or with --dump-header, \
        --cookie-jar, --continue-at, --etag-save, --no-clobber or --remote-header-name is sent only once.

        EXAMPLES
          postern curl https://api.github.com/user
          postern curl --step-up https://api.example.com/admin
          postern curl --account work -fsS -X DELETE \\
              https://gitlab.example.com/api/v4/projects/7
          postern curl --account twitter.com --data-urlencode status=Hello \\
              https://api.x.com/1.1/statuses/update.json
        """

    let words: [String]

    init(_ line: inout OptionReader) {
        words = line.allWords("arguments", help: "Postern's options, then curl's.")
    }

    func validate() throws(UsageError) {
        guard !words.isEmpty else { throw UsageError("which URL?") }
    }

    var common: CommonOptions { CommonOptions(socket: (try? CurlRequest(words))?.socket) }

    func perform() throws {
        do { try CurlRequest(words).run(searchPath: ProcessEnvironment.variable("PATH") ?? "/usr/bin:/bin") } catch {
            throw CommandFailure(error).namingAccounts(of: (try? CurlRequest(words))?.account, use: "postern curl --account NAME")
        }
    }
}
