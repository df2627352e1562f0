import DemoProvider
import Glibc
import PosternCore
import ProgramOptions

/// What the command line of `postern-demo-provider` may have.
enum CommandLineOptions {
    static let port = ProgramOption("port", .integer(0...65_535), help: "The port; 0 takes a free one.", default: "0")
    static let clientID = ProgramOption("client-id", .text, help: "The client that may ask.", default: "postern-demo")
    static let clientSecretFile = ProgramOption(
        "client-secret-file", .file, named: "file", help: "A file whose first line is the client's secret; without it the client is public."
    )
    static let redirectURI = ProgramOption(
        "redirect-uri", .text, named: "uri",
        help: "Where answers may go; repeatable. Loopback addresses match whatever their port. (default: where postern listens)",
        isRepeating: true)
    static let accessTokenSeconds = ProgramOption(
        "access-token-seconds", .integer(1...86_400), named: "seconds", help: "How long an access token is good for.", default: "3600")
    static let delayTokenMilliseconds = ProgramOption(
        "delay-token-ms", .integer(0...60_000), named: "milliseconds", help: "The token endpoint answers that much later.", default: "0")
    static let deviceInterval = ProgramOption(
        "device-interval", .integer(1...300), named: "seconds",
        help: "How many seconds lie between two questions for a device code at least.", default: "5")
    static let deviceCodeSeconds = ProgramOption(
        "device-code-seconds", .integer(1...3600), named: "seconds", help: "How long a device code is good for.", default: "600")
    static let allowRotation = ProgramOption("allow-rotation", help: "Take a new signing key at POST /demo/rotate-keys.")
    static let exitWithStdin = ProgramOption("exit-with-stdin", help: "End when standard input does.")
    static let lifetime = ProgramOption(
        "lifetime", .integer(1...86_400), named: "seconds", help: "End after that many seconds, whatever happens.", default: "3600")

    static let table = OptionTable(
        program: "postern-demo-provider",
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
            """,
        version: nil,
        options: [
            port, clientID, clientSecretFile, redirectURI, accessTokenSeconds, delayTokenMilliseconds, deviceInterval, deviceCodeSeconds,
            allowRotation, exitWithStdin, lifetime,
        ])

    static func providerOptions(_ given: OptionValues) -> DemoProviderOptions {
        let redirectURIs = given.has(redirectURI) ? given.texts(redirectURI) : DemoClient.usualRedirectURIs
        let client = DemoClient(
            id: given.text(clientID) ?? "postern-demo", secret: given.text(clientSecretFile).map(secret), redirectURIs: redirectURIs)
        var options = DemoProviderOptions(clients: [client])
        if let seconds = given.integer(accessTokenSeconds) { options.accessTokenSeconds = seconds }
        if let milliseconds = given.integer(delayTokenMilliseconds) { options.tokenDelayMilliseconds = milliseconds }
        if let seconds = given.integer(deviceInterval) { options.deviceIntervalSeconds = seconds }
        if let seconds = given.integer(deviceCodeSeconds) { options.deviceCodeSeconds = seconds }
        options.allowsKeyRotation = given.has(allowRotation)
        return options
    }

    /// The first line of a file.
    private static func secret(of path: String) -> Secret {
        guard let file = fopen(path, "re") else { table.refuse("the file \(path) cannot be read") }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 4097)
        let count = fread(&buffer, 1, buffer.count, file)
        let line = buffer[..<count].prefix { $0 != 0x0A && $0 != 0x0D }
        guard 1...4096 ~= line.count else { table.refuse("the first line of \(path) must have 1 to 4096 bytes") }
        return Secret(line)
    }
}
