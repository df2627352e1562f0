/// `postern-mcp`, which connects programs to servers.
enum BridgeProgram {
    static let name = "postern-mcp"

    static func find(
        searchPath: String = ProcessEnvironment.variable("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
    ) throws(CommandFailure) -> String {
        guard let found = Executable.companion(name, path: searchPath) else {
            throw CommandFailure(
                "\(name) is neither beside this program nor in PATH", advice: "install it: it belongs to the same package as postern")
        }
        return found
    }
}
