import Glibc
import PosternClient
import ProgramOptions

struct OpenURL: DaemonCommand {
    static let name = "open-url"
    static let abstract = "Deliver a provider's answer that did not arrive by HTTP."
    static let discussion = """
        The handler for a custom URL scheme, and for the address of a page that did not load. Other programs of this machine \
        can see a command line while it runs; with - the address is read from standard input.

        EXAMPLES
          postern open-url 'http://127.0.0.1:7678/__/auth/handler?state=…&code=…'
          wl-paste | postern open-url -
        """

    let url: String
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        url = line.argument("url", help: "The address, or - for standard input.")
        common = line.commonOptions()
    }

    func perform() throws {
        let address = url == "-" ? try Self.standardInputLine() : url
        guard let reply = try call(Interface.DeliverRedirect(url: Secret(address))) else { return }
        StandardError.note("delivered to sign-in \(reply.sessionID.plain)")
    }

    private static func standardInputLine() throws -> String {
        var lines = PastedLines()
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            let complete = count > 0 ? lines.received(bytes[..<count]) : lines.ended()
            if let line = complete.first { return line }
            if count <= 0 { throw CommandFailure("there is no address on standard input", status: .wrongUsage) }
        }
    }
}
