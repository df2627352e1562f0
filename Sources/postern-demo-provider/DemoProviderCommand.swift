import ArgumentParser
import DemoProvider
import Glibc
import NIOPosix
import PosternCore

/// The demo provider as a program.
struct DemoProviderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "postern-demo-provider",
        abstract: "A small but real OpenID provider with two accounts, for trying things.",
        discussion: """
            Listens on 127.0.0.1 and prints `listening http://127.0.0.1:PORT` once it answers; that URL is the issuer. Everything it \
            knows is in memory and gone when it ends.

            Example:
              postern-demo-provider --port 8090 --access-token-seconds 30
            and in postern's configuration:
              [provider.demo]
              kind = "oidc"
              display-name = "the demo provider"
              issuer = "http://127.0.0.1:8090"
              client-id = "postern-demo"
              scopes = ["openid", "profile", "email", "offline_access"]
            Take that section out again once you are done, and run `postern reload`: while it is there, whatever program listens at \
            that port is believed as this provider, and may sign anybody in.
            """)

    @Option(help: "The port; 0 takes a free one.")
    var port = 0

    @Option(help: "The client that may ask.")
    var clientID = "postern-demo"

    @Option(help: "A file whose first line is the client's secret; without it the client is public.")
    var clientSecretFile: String?

    @Option(
        name: .customLong("redirect-uri"),
        help: "Where answers may go; repeatable. Loopback addresses match whatever their port. (default: where postern listens)")
    var redirectURIs: [String] = []

    @Option(help: "How long an access token is good for.")
    var accessTokenSeconds = 3600

    @Option(name: .customLong("delay-token-ms"), help: "The token endpoint answers that much later.")
    var delayTokenMilliseconds = 0

    @Option(help: "How many seconds lie between two questions for a device code at least.")
    var deviceInterval = 5

    @Option(help: "How long a device code is good for.")
    var deviceCodeSeconds = 600

    @Flag(name: .customLong("allow-rotation"), help: "Take a new signing key at POST /demo/rotate-keys.")
    var allowsRotation = false

    @Flag(help: "End when standard input does.")
    var exitWithStdin = false

    @Option(help: "End after that many seconds, whatever happens.")
    var lifetime = 3600

    func validate() throws {
        guard 0...65_535 ~= port else { throw ValidationError("--port is from 0 to 65535") }
        guard 1...86_400 ~= accessTokenSeconds else { throw ValidationError("--access-token-seconds is from 1 to 86400") }
        guard 0...60_000 ~= delayTokenMilliseconds else { throw ValidationError("--delay-token-ms is from 0 to 60000") }
        guard 1...300 ~= deviceInterval else { throw ValidationError("--device-interval is from 1 to 300") }
        guard 1...3600 ~= deviceCodeSeconds else { throw ValidationError("--device-code-seconds is from 1 to 3600") }
        guard 1...86_400 ~= lifetime else { throw ValidationError("--lifetime is from 1 to 86400") }
        guard !clientID.isEmpty else { throw ValidationError("--client-id must not be empty") }
    }

    func run() throws {
        // Before there is another thread, which would have its own mask.
        let end = EndOfProgram()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { try? group.syncShutdownGracefully() }
        let provider = try DemoProvider.start(options: try options(), port: port, eventLoop: group.next()).wait()
        print("listening \(provider.issuer)")
        // A pipe is buffered, and whoever started this waits for the line.
        fflush(nil)
        end.wait(seconds: lifetime, orEndOfInput: exitWithStdin)
        try provider.close().wait()
    }

    private func options() throws -> DemoProviderOptions {
        let redirectURIs = redirectURIs.isEmpty ? DemoClient.usualRedirectURIs : redirectURIs
        let secret = try clientSecretFile.map(SecretFile.firstLine)
        var options = DemoProviderOptions(clients: [DemoClient(id: clientID, secret: secret, redirectURIs: redirectURIs)])
        options.accessTokenSeconds = accessTokenSeconds
        options.tokenDelayMilliseconds = delayTokenMilliseconds
        options.deviceIntervalSeconds = deviceInterval
        options.deviceCodeSeconds = deviceCodeSeconds
        options.allowsKeyRotation = allowsRotation
        return options
    }
}

enum SecretFile {
    static func firstLine(of path: String) throws -> Secret {
        guard let file = fopen(path, "re") else { throw ValidationError("the file \(path) cannot be read") }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 4097)
        let count = fread(&buffer, 1, buffer.count, file)
        let line = buffer[..<count].prefix { $0 != 0x0A && $0 != 0x0D }
        guard 1...4096 ~= line.count else { throw ValidationError("the first line of \(path) must have 1 to 4096 bytes") }
        return Secret(line)
    }
}
