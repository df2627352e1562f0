import Glibc

/// The desktop's own programs, which know where its settings are.
struct DesktopTool {
    let environment: [String: String]

    /// Makes our desktop file the handler of its scheme. `xdg-mime` writes mimeapps.list, a file of the user's that all programs share.
    func makeDefault(_ scheme: URLScheme) throws {
        guard let tool = find("xdg-mime") else {
            throw CommandFailure(
                "the desktop file is in its place, but there is no xdg-mime to make it the handler",
                advice: "apt install xdg-utils, then run this again")
        }
        let arguments = ["default", DesktopEntry.fileName(of: scheme), scheme.mimeType]
        guard try ChildProcess.output(of: tool, arguments, environment, timeout: Self.patience) != nil else {
            throw CommandFailure("xdg-mime did not make postern the handler of \(scheme.name):")
        }
    }

    /// Informs desktops that look up schemes in the cache and not in mimeapps.list. If the program is missing, nothing is lost.
    func updateCache(of directory: ApplicationsDirectory) {
        guard let tool = find("update-desktop-database") else { return }
        _ = try? ChildProcess.output(of: tool, [directory.path], environment, timeout: Self.patience)
    }

    /// The desktop file that handles the scheme now; nil if that cannot be determined.
    func handler(of scheme: URLScheme) -> String? {
        guard let tool = find("xdg-mime") else { return nil }
        let output = try? ChildProcess.output(of: tool, ["query", "default", scheme.mimeType], environment, timeout: Self.patience)
        return output?.parts(separator: "\n").first.map(String.init)
    }

    /// Milliseconds. They are shell scripts that may call a session bus.
    private static let patience: Int64 = 20_000

    private func find(_ name: String) -> String? { Executable.find(name, path: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin") }
}
