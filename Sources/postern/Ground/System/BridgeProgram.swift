import PosternConfiguration

/// `postern-mcp`, which connects programs to servers. People do not start it, so packages may keep it out of the search path.
enum BridgeProgram {
    static let name = "postern-mcp"

    /// - Returns: beside this program, in the directory of a package for such programs, or else in the search path.
    static func find(searchPath: String = ProcessEnvironment.variable("PATH") ?? "/usr/bin:/bin") throws(CommandFailure) -> String {
        if let own = Executable.ownPath, let slash = own.unicodeScalars.lastIndex(of: "/") {
            for place in candidates(in: String(own[..<slash])) where ProgramSearch.isProgram(place) { return place }
        }
        guard let found = Executable.find(name, path: searchPath) else {
            throw CommandFailure(
                "\(name) is neither beside this program nor in PATH", advice: "install it: it belongs to the same package as postern")
        }
        return found
    }

    static func candidates(in directory: String) -> [String] { ["\(directory)/\(name)", "\(directory)/../libexec/postern/\(name)"] }
}
