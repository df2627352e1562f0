import Glibc
import PosternConfiguration
import PosternCore
import Testing

@Suite("Fetching secrets")
struct SecretResolverTests {
    let directory = PrivateDirectory()

    func resolve(_ source: SecretSource, _ environment: [String: String] = ["PATH": "/usr/bin:/bin"]) throws(SecretError) -> String {
        try SecretResolver(environment: environment).resolve(source).reveal()
    }

    func refusal(
        _ source: SecretSource, _ environment: [String: String] = ["PATH": "/usr/bin:/bin"], timeout: Duration = .seconds(10)
    ) -> SecretError? {
        do throws(SecretError) {
            _ = try SecretResolver(environment: environment, commandTimeout: timeout).resolve(source)
            return nil
        } catch {
            return error
        }
    }

    @Test("A literal secret is itself")
    func literal() throws {
        #expect(try resolve(.literal(Secret("hunter2"))) == "hunter2")
    }

    @Test("A file gives its first line", arguments: ["hunter2", "hunter2\n", "hunter2\r\n", "hunter2\nand more\n"])
    func file(text: String) throws {
        #expect(try resolve(.file(directory.write("secret", text))) == "hunter2")
    }

    @Test("Where all of it is asked for, a file gives its lines but for the blank ones at the end", arguments: ["", "\n", "\r\n\n"])
    func whole(end: String) throws {
        let pem = "-----BEGIN PRIVATE KEY-----\nMIGT\n-----END PRIVATE KEY-----"
        let resolver = SecretResolver(environment: ["PATH": "/usr/bin:/bin"])
        #expect(try resolver.resolve(.file(directory.write("key", pem + end)), extent: .whole) == Secret(pem))
        #expect(try resolver.resolve(.command(["printf", "a\\nb\\n"]), extent: .whole) == Secret("a\nb"))
    }

    @Test(
        "All of it is bounded, and text",
        arguments: [
            ("", "is empty"), ("\n\r\n", "is empty"), ("\u{FEFF} \n", "is empty"), ("a\u{1}b", "has control characters in its text"),
            ("a\tb", "has control characters in its text"), (String(repeating: "x\n", count: 8193), "has a text of more than 16384 bytes"),
            (String(repeating: "x\n", count: 50_000), "is larger than 65536 bytes"),
        ])
    func wholeRefused(text: String, reason: String) throws {
        let path = directory.write("key", text)
        let error = #expect(throws: SecretError.self) { try SecretResolver(environment: [:]).resolve(.file(path), extent: .whole) }
        #expect(error?.description == "the secret's file \(path) \(reason)")
        #expect(error?.description.contains("x\nx") == false)
    }

    @Test(
        "What editors and the clipboard put around a secret does not belong to it, and blanks inside it do",
        arguments: ["hun ter2 \n", " hun ter2", "\u{FEFF}hun ter2\n", "\u{FEFF} hun ter2 \r\r\nand more \n", "hun ter2\r \r\n"])
    func around(text: String) throws {
        let credentials = directory.makeDirectory("credentials")
        directory.write("credentials/github", text)
        let environment = ["PATH": "/usr/bin:/bin", "CREDENTIALS_DIRECTORY": credentials, "HUSH": text]
        let path = directory.write("secret", text)
        for source in [.file(path), .credential("github"), .command(["cat", path]), .environment("HUSH")] as [SecretSource] {
            #expect(try resolve(source, environment) == "hun ter2")
        }
        #expect(try resolve(.literal(Secret(" hun ter2 "))) == " hun ter2 ")
        let key = "-----BEGIN PRIVATE KEY-----\nMIGT\n-----END PRIVATE KEY-----"
        let whole = directory.write("key", "\u{FEFF}\(key) \r\n \n")
        #expect(try SecretResolver(environment: environment).resolve(.file(whole), extent: .whole) == Secret(key))
    }

    @Test("A file that others can read or change is refused", arguments: [0o644, 0o640, 0o604, 0o620, 0o602] as [mode_t])
    func exposed(mode: mode_t) throws {
        let path = directory.write("secret", "hunter2", mode: mode)
        let error = try #require(refusal(.file(path)))
        #expect(error.description.contains("chmod 600 \(path)"))
    }

    @Test("A missing file is named")
    func missing() throws {
        let error = try #require(refusal(.file("\(directory.path)/none")))
        #expect(error.description == "the secret's file \(directory.path)/none does not exist")
    }

    @Test(
        "A file without a usable first line is refused",
        arguments: [
            ("", "has an empty first line"), ("\nhunter2", "has an empty first line"), ("\r\n", "has an empty first line"),
            ("\u{FEFF} \r\nhunter2", "has an empty first line"), ("hun\u{1}ter2", "has control characters in its first line"),
            ("hun\rter2", "has control characters in its first line"), ("hunter2\t", "has control characters in its first line"),
            ("hun\tter2", "has control characters in its first line"),
            (String(repeating: "x", count: 5000), "has a first line of more than 4096 bytes"),
            (String(repeating: "x\n", count: 50_000), "is larger than 65536 bytes"),
        ])
    func unusable(text: String, reason: String) throws {
        let path = directory.write("secret", text)
        #expect(refusal(.file(path))?.description == "the secret's file \(path) \(reason)")
    }

    @Test("A credential is a file in the directory that systemd names")
    func credential() throws {
        directory.write("github", "hunter2\n", mode: 0o440)
        #expect(try resolve(.credential("github"), ["CREDENTIALS_DIRECTORY": directory.path]) == "hunter2")
        #expect(refusal(.credential("other"), ["CREDENTIALS_DIRECTORY": directory.path])?.description == "the credential other does not exist")
        let notLoaded = "the credential github cannot be read: the service was started without LoadCredential=github:FILE"
        #expect(refusal(.credential("github"), [:])?.description == notLoaded)
        #expect(refusal(.credential("github"), ["CREDENTIALS_DIRECTORY": "relative"])?.description == notLoaded)
    }

    @Test("A key among the credentials is read byte for byte; that there is none is not an error")
    func credentialBytes() throws {
        let key = Secret([0, 0x0A, 0xFF, 0x0D, 0x1B])
        let path = directory.makeDirectory("credentials")
        directory.write("credentials/key", "")
        let stream = try #require(fopen("\(path)/key", "w"))
        let written = key.withBytes { fwrite($0.baseAddress, 1, $0.count, stream) }
        fclose(stream)
        #expect(written == key.count)
        directory.write("credentials/large", String(repeating: "x", count: 65_537))
        directory.makeDirectory("credentials/folder")
        func bytes(_ name: String, _ environment: [String: String]) throws(SecretError) -> Secret? {
            try SecretResolver(environment: environment).bytes(ofCredential: name)
        }
        #expect(try bytes("key", ["CREDENTIALS_DIRECTORY": path]) == key)
        #expect(try bytes("other", ["CREDENTIALS_DIRECTORY": path]) == nil)
        #expect(try bytes("key", ["CREDENTIALS_DIRECTORY": "\(path)/none"]) == nil)
        #expect(try bytes("key", ["CREDENTIALS_DIRECTORY": ""]) == nil)
        #expect(try bytes("key", [:]) == nil)
        for name in ["large", "folder"] {
            #expect(throws: SecretError.self) { try bytes(name, ["CREDENTIALS_DIRECTORY": path]) }
        }
        #expect(throws: SecretError.self) { try bytes("key", ["CREDENTIALS_DIRECTORY": "relative"]) }
    }

    @Test("An environment variable")
    func variable() throws {
        #expect(try resolve(.environment("S"), ["S": "hunter2"]) == "hunter2")
        #expect(refusal(.environment("S"), [:])?.description == "the environment variable S is not set")
        #expect(refusal(.environment("S"), ["S": ""])?.description == "the environment variable S has an empty first line")
    }

    @Test("A command gives its first line, gets the environment and no standard input")
    func command() throws {
        let environment = ["PATH": "/usr/bin:/bin", "WORD": "hunter2"]
        #expect(try resolve(.command(["printenv", "WORD"]), environment) == "hunter2")
        #expect(try resolve(.command(["sh", "-c", "cat; echo hunter2; echo more"]), environment) == "hunter2")
    }

    @Test("A command does not get what the service manager told the daemon", arguments: ["NOTIFY_SOCKET", "LISTEN_FDS", "WATCHDOG_USEC"])
    func serviceVariables(name: String) throws {
        #expect(refusal(.command(["printenv", name]), ["PATH": "/usr/bin:/bin", name: "1"])?.description == "the secret's command printenv ended with status 1")
        #expect(try resolve(.command(["printenv", "X\(name)"]), ["PATH": "/usr/bin:/bin", "X\(name)": "1"]) == "1")
    }

    @Test("A command gets the three standard descriptors and no other, close-on-exec or not")
    func descriptors() throws {
        // Far from those that a program opens by itself.
        let stray = fcntl(STDERR_FILENO, F_DUPFD, 300)
        try #require(stray >= 300 && fcntl(stray, F_GETFD) & FD_CLOEXEC == 0)
        defer { close(stray) }
        #expect(refusal(.command(["readlink", "/proc/self/fd/\(stray)"]))?.description == "the secret's command readlink ended with status 1")
        for standard in 0...2 { #expect(try !resolve(.command(["readlink", "/proc/self/fd/\(standard)"])).isEmpty) }
    }

    @Test("Arguments are not read by a shell")
    func noShell() throws {
        #expect(try resolve(.command(["echo", "$(id)", "*", ";"])) == "$(id) * ;")
    }

    @Test(
        "A command that fails is told apart from one that cannot be started",
        arguments: [
            (["sh", "-c", "echo hunter2; exit 3"], "the secret's command sh ended with status 3"),
            (["sh", "-c", "kill -TERM $$"], "the secret's command sh was ended by signal 15"),
            (
                ["/nonexistent/program"],
                "the secret's command /nonexistent/program could not be started: no such file or directory"
            ),
            (["true"], "the secret's command true has an empty first line"),
        ] as [([String], String)])
    func failures(arguments: [String], description: String) {
        #expect(refusal(.command(arguments))?.description == description)
    }

    @Test("A command that writes without end is ended")
    func endlessOutput() {
        #expect(refusal(.command(["yes"]))?.description == "the secret's command yes wrote more than 65536 bytes")
    }

    @Test("A command that does not end is ended with all it started", .timeLimit(.minutes(1)))
    func timeout() throws {
        let marker = "\(directory.path)/pid"
        let error = try #require(
            refusal(.command(["sh", "-c", "sleep 1000 & echo $! > \(marker); wait"]), timeout: .seconds(3)))
        #expect(error.description == "the secret's command sh took longer than 3 s")
        // Nobody can wait for somebody else's child; the time limit fails the test where it lives on.
        let pid = try #require(readNumber(marker))
        while isRunning(pid) { usleep(1000) }
    }

    @Test("A program that it leaves behind does not keep a command from having ended")
    func leftBehind() throws {
        let marker = "\(directory.path)/pid"
        #expect(try resolve(.command(["sh", "-c", "sleep 1000 & echo $! > \(marker); echo hunter2"])) == "hunter2")
        kill(try #require(readNumber(marker)), SIGKILL)
    }

    private func readNumber(_ path: String) -> pid_t? {
        guard let stream = fopen(path, "r") else { return nil }
        defer { fclose(stream) }
        var buffer = [CChar](repeating: 0, count: 32)
        guard fgets(&buffer, Int32(buffer.count), stream) != nil else { return nil }
        return pid_t(atoi(buffer))
    }

    /// A zombie, or a process that is about to become one, does not count.
    private func isRunning(_ pid: pid_t) -> Bool {
        guard let stream = fopen("/proc/\(pid)/stat", "r") else { return false }
        defer { fclose(stream) }
        var buffer = [CChar](repeating: 0, count: 512)
        guard fgets(&buffer, Int32(buffer.count), stream) != nil else { return false }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let state = text.split(separator: ")").last?.split(separator: " ").first
        return state != "Z" && state != "X"
    }

    @Test("The file of a secret has another stamp when it is written, replaced, closed to others or gone, and else the same")
    func stamps() throws {
        let place = PrivateDirectory()
        let path = place.write("stamped", "one\n")
        let resolver = SecretResolver(environment: ["CREDENTIALS_DIRECTORY": place.path])
        var seen = [try #require(resolver.stamp(of: .file(path)))]
        #expect(resolver.stamp(of: .file(path)) == seen[0] && resolver.stamp(of: .credential("stamped")) == seen[0])
        func isNew() -> Bool {
            guard let stamp = resolver.stamp(of: .file(path)), !seen.contains(stamp) else { return false }
            seen.append(stamp)
            return true
        }
        place.write("stamped", "longer\n")
        #expect(isNew())
        #expect(chmod(path, 0o640) == 0 && isNew())
        place.write("another", "longer\n")
        #expect(rename("\(place.path)/another", path) == 0 && isNew())
        #expect(unlink(path) == 0 && resolver.stamp(of: .file(path)) == nil)
        #expect(resolver.stamp(of: .command(["true"])) == nil && resolver.stamp(of: .environment("X")) == nil)
    }
}
