import Glibc
import PosternConfiguration
import Testing

@Suite("Loading files")
struct LoaderTests {
    let directory = PrivateDirectory()

    func load() throws(ConfigurationError) -> Configuration {
        try ConfigurationLoader.load(path: "\(directory.path)/config.toml", environment: ["HOME": "/home/ada"])
    }

    @Test("Missing files are fine")
    func missing() throws {
        #expect(try load().callback == Configuration.Callback())
    }

    @Test("A link to nothing is refused, with where it leads", arguments: ["config.toml", "config.d", "config.d/work.toml"])
    func danglingLink(name: String) {
        if name.contains("/") { directory.makeDirectory("config.d") }
        let place = "\(directory.path)/\(name)"
        symlink("nowhere/\(name)", place)
        let error = #expect(throws: ConfigurationError.self) { try load() }
        #expect(error?.file == place)
        #expect(error?.message.hasSuffix("is a link to nowhere/\(name), which does not exist") == true)
    }

    @Test("A file where the directory of the parts would be is refused")
    func partsAreFile() {
        directory.write("config.d", "[callback]\nport = 1\n")
        let error = #expect(throws: ConfigurationError.self) { try load() }
        #expect(error == ConfigurationError(file: "\(directory.path)/config.d", message: "this is not a directory"))
    }

    @Test("What stands in the way further up is named")
    func parents() throws {
        func error(_ path: String) -> ConfigurationError? {
            do throws(ConfigurationError) {
                _ = try ConfigurationLoader.load(path: path, environment: ["HOME": "/home/ada"])
                return nil
            } catch { return error }
        }
        let file = directory.write("file", "")
        #expect(error("\(file)/a/config.toml")?.message == "the file does not exist: \(file) is not a directory")
        let link = "\(directory.path)/link"
        symlink("nowhere", link)
        #expect(error("\(link)/config.toml")?.message == "the file does not exist: \(link) is a link to nowhere, which does not exist")
        // A link that leads somewhere, and a directory that nobody has made yet, stand in nobody's way.
        symlink(directory.path, "\(directory.path)/good")
        #expect(error("\(directory.path)/good/a/b/config.toml") == nil)
    }

    @Test("The parts are read in the order of their names, after the file itself")
    func order() throws {
        directory.makeDirectory("config.d")
        directory.write("config.toml", "[callback]\nport = 1\nsame-user = false\n")
        directory.write("config.d/20.toml", "callback.port = 20")
        directory.write("config.d/10.toml", "callback.port = 10\ncallback.addresses = [\"::1\"]")
        directory.write("config.d/.hidden.toml", "nonsense")
        directory.write("config.d/readme.md", "nonsense")
        directory.write("config.d/30.toml~", "nonsense")
        let callback = try load().callback
        #expect(callback.port == 20)
        #expect(callback.addresses == ["::1"])
        #expect(!callback.sameUser)
    }

    @Test("An error names the file and the line")
    func errorPlace() throws {
        directory.makeDirectory("config.d")
        directory.write("config.d/a.toml", "\n[callback]\nport = 99999\n")
        let error = #expect(throws: ConfigurationError.self) { try load() }
        #expect(error?.file == "\(directory.path)/config.d/a.toml")
        #expect(error?.line == 3)
    }

    @Test("A file that others can write is refused as it is found on disk")
    func writable() throws {
        directory.write("config.toml", "", mode: 0o666)
        let error = #expect(throws: ConfigurationError.self) { try load() }
        #expect(error?.message.contains("chmod go-w") == true)
    }

    @Test("A file with a secret that others can read is refused as it is found on disk")
    func readable() throws {
        let file = directory.write("config.toml", PermissionTests.secret, mode: 0o644)
        let error = #expect(throws: ConfigurationError.self) { try load() }
        #expect(error?.message.contains("chmod 600 \(file)") == true)
        chmod(file, 0o600)
        #expect(throws: Never.self) { try load() }
    }

    @Test("What is not a regular file is refused and does not make the daemon wait")
    func notRegular() throws {
        mkfifo("\(directory.path)/config.toml", 0o600)
        let error = #expect(throws: ConfigurationError.self) { try load() }
        #expect(error?.message == "the file is not a regular file")
    }

    @Test("A file beyond a mebibyte is refused")
    func tooLarge() throws {
        directory.write("config.toml", String(repeating: "# padding\n", count: 120_000))
        let error = #expect(throws: ConfigurationError.self) { try load() }
        #expect(error?.message == "the file is larger than 1048576 bytes")
    }

    @Test("A directory in the file's place is refused")
    func directoryInPlace() throws {
        directory.makeDirectory("config.toml")
        #expect(throws: ConfigurationError.self) { try load() }
    }

    @Test(
        "The file is looked for where XDG says",
        arguments: [
            (["HOME": "/home/ada"], "/home/ada/.config/postern/config.toml"),
            (["HOME": "/home/ada", "XDG_CONFIG_HOME": "/etc/xdg/ada"], "/etc/xdg/ada/postern/config.toml"),
            (["HOME": "/home/ada", "XDG_CONFIG_HOME": "relative"], "/home/ada/.config/postern/config.toml"),
        ])
    func defaultPath(environment: [String: String], path: String) {
        #expect(UserDirectories.configurationFile(environment: environment) == path)
    }

    @Test("Without HOME the user database says where home is")
    func homeFromDatabase() {
        #expect(UserDirectories.home(environment: [:])?.hasPrefix("/") == true)
        #expect(UserDirectories.home(environment: ["HOME": "nowhere"])?.hasPrefix("/") == true)
    }
}
