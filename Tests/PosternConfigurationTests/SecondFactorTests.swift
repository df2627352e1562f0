import Glibc
import PosternConfiguration
import PosternCore
import Testing

@Suite("Second factors in the configuration")
struct SecondFactorTests {
    @Test("Without the section there is a name for authenticator programs, and no way to a phone")
    func defaults() throws {
        let factors = try Reading.read("").secondFactors
        #expect(factors.issuer == "Postern")
        #expect(factors.phone == nil)
    }

    @Test("A program, or a gateway")
    func phone() throws {
        let command = try Reading.read("[second-factor.phone]\ncommand = [\"send-sms\", \"--quick\"]\n[second-factor.totp]\nissuer = \"Desk\"")
        #expect(command.secondFactors.phone == .command(.init(arguments: ["send-sms", "--quick"], timeout: .seconds(20))))
        #expect(command.secondFactors.issuer == "Desk")
        #expect(
            try Reading.read("[second-factor.phone]\ncommand = [\"x\"]\ntimeout = \"5s\"").secondFactors.phone
                == .command(.init(arguments: ["x"], timeout: .seconds(5))))
        let gateway = try Reading.read(
            """
            [second-factor.phone]
            gateway = "https://sms.example/send"
            gateway-token = { file = "~/sms.secret" }
            ca-file = "sms.pem"
            """)
        #expect(
            gateway.secondFactors.phone
                == .gateway(
                    try EndpointURL("https://sms.example/send"), token: .file("/home/ada/sms.secret"),
                    caFile: "/home/ada/.config/postern/sms.pem"))
    }

    @Test("A later file takes the place of the token, whole")
    func laterFile() throws {
        let configuration = try Reading.read(
            "[second-factor.phone]\ngateway = \"https://sms.example\"\ngateway-token = { file = \"/a\" }",
            "[second-factor.phone]\ngateway-token = { env = \"TOKEN\" }")
        #expect(
            configuration.secondFactors.phone
                == .gateway(try EndpointURL("https://sms.example"), token: .environment("TOKEN"), caFile: nil))
    }

    @Test(
        "An impossible value is refused and reported",
        arguments: [
            ("[second-factor]\nsms = true", "unknown key sms in [second-factor]"),
            ("[second-factor.phone]\nprogram = [\"x\"]", "unknown key program in [second-factor.phone]"),
            ("[second-factor.phone]", "needs either command or gateway"),
            ("[second-factor.phone]\ncommand = [\"x\"]\ngateway = \"https://sms.example\"", "conflicts with command"),
            ("[second-factor.phone]\ncommand = []", "names no program"),
            ("[second-factor.phone]\ncommand = \"send-sms\"", "must be a list of strings"),
            ("[second-factor.phone]\ncommand = [\"x\"]\ngateway-token = \"y\"", "gateway-token in [second-factor.phone] has no effect without gateway"),
            ("[second-factor.phone]\ncommand = [\"x\"]\ntimeout = \"2m\"", "must be from \"1s\" to \"1m\""),
            ("[second-factor.phone]\ngateway = \"https://sms.example\"\ntimeout = \"2s\"", "timeout in [second-factor.phone] has no effect without command"),
            ("[second-factor.phone]\ngateway = \"http://sms.example\"", "is plain http to sms.example"),
            ("[second-factor.phone]\ngateway = \"sms.example\"", "is not an absolute URL"),
            ("[second-factor.totp]\nissuer = \"a:b\"", "must not hold a colon"),
            ("[second-factor.totp]\nissuer = \"\"", "must not be empty"),
            ("[second-factor.totp]\ndigits = 8", "unknown key digits in [second-factor.totp]"),
        ])
    func refused(text: String, words: String) throws {
        let error = try #require(Reading.refusal(text))
        #expect(error.description.contains(words), "\(error)")
    }

    @Test("A literal token in a file that others can read is refused; one that stands elsewhere is not")
    func exposed() {
        let gateway = "[second-factor.phone]\ngateway = \"https://sms.example\"\n"
        #expect(Reading.refusal(gateway + "gateway-token = \"hunter2\"", mode: 0o644)?.description.contains("gateway's token") == true)
        #expect(Reading.refusal(gateway + "gateway-token = \"hunter2\"", mode: 0o600) == nil)
        #expect(Reading.refusal(gateway + "gateway-token = { env = \"T\" }", mode: 0o644) == nil)
    }
}

@Suite("The program that carries a code to a phone")
struct PhoneCommandTests {
    let directory: PrivateDirectory
    init() { directory = PrivateDirectory() }

    private static let environment = ["PATH": "/usr/bin:/bin"]
    private static let message = Array("{\"to\":\"+819012345678\",\"code\":\"123456\"}\n".utf8)

    /// What went wrong.
    private func send(_ script: String, timeout: Duration = .seconds(20)) -> String? {
        ConfiguredCommand(arguments: ["/bin/sh", "-c", script], timeout: timeout).run(in: Self.environment, input: Self.message)
    }

    @Test("It gets the message on its standard input, whole, and then its end")
    func input() throws {
        let path = "\(directory.path)/message"
        #expect(send("cat > \(path)") == nil)
        #expect(try #require(contents(path)) == Self.message)
    }

    @Test("The code is neither in its arguments nor in its environment")
    func nowhereElse() throws {
        let path = "\(directory.path)/seen"
        #expect(send("cat /proc/$$/cmdline /proc/$$/environ > \(path)") == nil)
        let seen = String(decoding: try #require(contents(path)), as: UTF8.self)
        #expect(seen.contains("/bin/sh") && !seen.contains("123456") && !seen.contains("+8190"))
    }

    @Test("One that does not read its input, or closes it, does no harm", arguments: ["true", "exec <&-; true", "exec < /dev/null"])
    func unread(script: String) { #expect(send(script) == nil) }

    @Test(
        "One that fails is said to, without its arguments",
        arguments: [
            ("exit 3", "ended with status 3"), ("kill -9 $$", "was ended by signal 9"),
            ("exec yes", "wrote more than 65536 bytes"),
        ])
    func failures(script: String, words: String) { #expect(send(script) == words) }

    @Test("One that hangs is ended, with all that it started", .timeLimit(.minutes(1)))
    func hanging() throws {
        #expect(send("sleep 1000 & echo $! > \(directory.path)/pid; wait", timeout: .seconds(3)) == "took longer than 3 s")
        let text = String(decoding: try #require(contents("\(directory.path)/pid")), as: UTF8.self)
        let pid = try #require(pid_t(text.filter(\.isNumber)))
        // Nobody can wait for somebody else's child; the time limit fails the test where it lives on.
        while !isGone(pid) { usleep(1000) }
    }

    @Test("A message that a pipe does not take at once is refused, and nobody waits")
    func tooLong() {
        let command = ConfiguredCommand(arguments: ["cat"], timeout: .seconds(20))
        #expect(command.run(in: Self.environment, input: Array(repeating: 65, count: 5000)) != nil)
    }

    /// A zombie counts as gone.
    private func isGone(_ pid: pid_t) -> Bool {
        guard let text = contents("/proc/\(pid)/stat").map({ String(decoding: $0, as: UTF8.self) }) else { return true }
        return ["Z", "X"].contains(text.split(separator: ")").last?.split(separator: " ").first)
    }

    private func contents(_ path: String) -> [UInt8]? {
        guard let stream = fopen(path, "r") else { return nil }
        defer { fclose(stream) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, stream)
        return Array(bytes[..<count])
    }
}
