import DemoProvider
import Glibc
import PosternValues
import ProgramOptions

/// What the command line of `postern-demo-provider` may have.
enum CommandLineOptions {
    static let port = ProgramOption("port", .integer(0...65_535), help: "The port; 0 means a free one.", default: "0")
    static let clientID = ProgramOption("client-id", .text, help: "The client's ID.", default: "postern-demo")
    static let clientSecretFile = ProgramOption(
        "client-secret-file", .file, named: "file", help: "A file whose first line is the client's secret; without it the client is public."
    )
    static let redirectURI = ProgramOption(
        "redirect-uri", .text, named: "uri",
        help: "An allowed callback URL; repeatable. Loopback addresses match with any port. (default: where postern listens)",
        isRepeating: true)
    static let accessTokenSeconds = ProgramOption(
        "access-token-seconds", .integer(1...86_400), named: "seconds", help: "How long an access token is valid.", default: "3600")
    static let delayTokenMilliseconds = ProgramOption(
        "delay-token-ms", .integer(0...60_000), named: "milliseconds", help: "Delay of the token endpoint's answers.", default: "0")
    static let deviceInterval = ProgramOption(
        "device-interval", .integer(1...300), named: "seconds",
        help: "The minimum interval for polling with a device code.", default: "5")
    static let deviceCodeSeconds = ProgramOption(
        "device-code-seconds", .integer(1...3600), named: "seconds", help: "How long a device code is valid.", default: "600")
    static let allowRotation = ProgramOption("allow-rotation", help: "Switch to a new signing key at POST /demo/rotate-keys.")
    static let exitWithStdin = ProgramOption("exit-with-stdin", help: "End when standard input is closed.")
    static let lifetime = ProgramOption(
        "lifetime", .integer(1...86_400), named: "seconds", help: "End after that many seconds.", default: "3600")

    static let table = OptionTable(
        program: "postern-demo-provider",
        abstract: "A small but real OpenID provider with two accounts, for trying things.",
        discussion: """
            Listens on 127.0.0.1 and prints `listening http://127.0.0.1:PORT` once it answers; that URL is the issuer. It keeps everything \
            in memory only.

            Example:
              postern-demo-provider --port 8090 --access-token-seconds 30
            and in postern's configuration:
              [provider.demo]
              kind = "oidc"
              display-name = "Demo Provider"
              issuer = "http://127.0.0.1:8090"
              client-id = "postern-demo"
              scopes = ["openid", "profile", "email", "offline_access"]
            Remove that section when you are done, and run `postern reload`: while it is there, any program that listens on that port is \
            trusted as this provider, and can sign anybody in.
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
