import PosternClient
import PosternConfiguration
import ProgramOptions

import enum PosternCore.ClientDocument
import enum PosternCore.ClientDocumentError

struct MCPDocument: DaemonCommand {
    static let name = "document"
    static let abstract = "Print the client document to publish, whose URL is Postern's client ID."
    static let discussion = """
        Issuers that accept a client ID metadata document need no registration: publish what this prints at the URL, as application/json \
        and without a redirect, and put the URL into the configuration. It lists the port that the daemon holds for this user.

        EXAMPLES
          postern mcp document --url https://example.org/postern/client.json
          postern config set registration.client-document \\
              https://example.org/postern/client.json
          postern mcp document > client.json
        """

    let url: String?
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        url = line.option(
            "url", named: "url", help: "Where it will be. (default: client-document in [registration])", ifEmpty: "is empty: give a URL")
        common = line.connectionOptions()
    }

    func perform() throws {
        let status = try? PosternConnection.call(Interface.GetStatus(), at: common.socketPath)
        let configuration: Configuration
        do { configuration = try AccountFiles(mainFile: status?.configurationFile).text().configuration() } catch {
            throw CommandFailure(editing: error)
        }
        guard let url = url ?? configuration.registration.clientDocument else {
            throw CommandFailure(
                "where will the document be? Its URL is part of it", status: .wrongUsage,
                advice: "give --url URL, or client-document in [registration] of the configuration")
        }
        let held = status?.callbackURLs.lazy.compactMap { WebAddress($0) }.first { $0.isLoopback }?.port
        let configured = configuration.callback.port
        guard let port = held ?? (configured == 0 ? nil : configured) else {
            throw CommandFailure(
                "the daemon takes another port at each start, and issuers compare it", advice: "give callback.port a fixed one")
        }
        let text: String
        do throws(ClientDocumentError) { text = ClientDocument.text(url: try ClientDocument.url(url), port: port) } catch {
            throw CommandFailure("\(url) \(error)".plain, status: .wrongUsage)
        }
        try StandardOutput.write(bytes: Array(text.utf8))
        if let sentence = Self.doubt(held: held, configured: configured, problems: status?.problems ?? []) {
            StandardError.tell(sentence.plain)
        }
    }

    /// What is to be said of the port; nil if it is the configured one.
    static func doubt(held: Int?, configured: Int, problems: [String]) -> String? {
        guard let held, held != configured else { return nil }
        if configured == 0 { return "the daemon takes another port at each start, and issuers compare it; give callback.port a fixed one" }
        if problems.contains(where: { $0.holds(":\(configured) ") }) {
            return "the daemon could not get port \(configured) of the configuration, and the document lists \(held), which it has now; "
                + "free \(configured) (postern doctor says who has it), restart the daemon and print the document again"
        }
        return "the document lists port \(held), which the daemon has; \(configured) of the configuration is not in effect"
    }
}
