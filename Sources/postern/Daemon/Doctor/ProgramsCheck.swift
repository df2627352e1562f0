import Glibc

/// Whether the package's programs are found in the search path, in which git, docker and others look for their helpers, too.
enum ProgramsCheck {
    static let title = "programs"
    static let names = ["postern", "posternd"]
    /// Where packages install them.
    static let packaged = "/usr/bin"

    static func findings(searchPath: String) -> [Finding] {
        findings {
            Executable.find($0, path: searchPath)
        } identity: {
            real($0)
        }
    }

    /// - Parameter path: of the bridge's program; nil if there is none.
    static func bridge(_ path: String?) -> [Finding] {
        path != nil
            ? []
            : [
                .warn(
                    title, "\(BridgeProgram.name) is neither beside this program nor in PATH: MCP clients and postern exec --proxy need it",
                    fix: "install it: it belongs to the same package as postern")
            ]
    }

    /// The path without links; `/bin` is a link to `/usr/bin`.
    private static func real(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// - Parameters:
    ///   - find: the first program of that name in the search path.
    ///   - identity: the same for two paths to one file; nil if there is no file.
    static func findings<Identity: Equatable>(find: (String) -> String?, identity: (String) -> Identity?) -> [Finding] {
        names.compactMap { name in
            let ours = "\(packaged)/\(name)"
            guard let installed = identity(ours), let first = find(name), identity(first) != installed else { return nil }
            return .warn(
                title, "\(first) is used in place of the package's \(ours)".plain,
                fix: "if you installed it by hand before: packaging/install.sh --uninstall, or remove it, or put \(packaged) first in PATH")
        }
    }
}
