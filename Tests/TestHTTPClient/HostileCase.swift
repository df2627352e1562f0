import Foundation
import Testing

/// A request from `Hostile/`: the expected answers in the first line, then the bytes.
///
/// First line: `STATUS… untouched|asked | why`: every status up to the end of the connection, and whether the delegate heard of it.
/// After it line breaks mean nothing; `\r \n \t \0 \\ \xHH` are bytes, `\{100*ab}` is a repetition, and `$HOST`, `$PORT` and
/// `$KNOWN` are the server's address, its port, and the state that the delegate knows.
struct HostileCase: Sendable, CustomTestStringConvertible {
    /// The state of a sign-in that waits.
    static let knownState = "KNOWN-STATE"
    var name: String
    var statuses: [Int]
    var reachesDelegate: Bool
    var why: String
    private var escaped: String

    var testDescription: String { "\(name): \(why)" }

    static let all: [HostileCase] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Hostile")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "http" }.sorted { $0.path < $1.path }.compactMap(HostileCase.init)
    }()

    private init?(_ file: URL) {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let halves = lines[0].split(separator: "|", maxSplits: 1)
        var words = halves[0].split(separator: " ")
        guard halves.count == 2, let last = words.popLast(), last == "asked" || last == "untouched" else { return nil }
        name = file.deletingPathExtension().lastPathComponent
        statuses = words.compactMap { Int($0) }
        reachesDelegate = last == "asked"
        why = halves[1].trimmingCharacters(in: .whitespaces)
        escaped = lines.dropFirst().joined()
    }

    func bytes(port: Int) -> [UInt8] {
        var text = escaped[...]
        var bytes: [UInt8] = []
        let placeholders = ["$HOST": "127.0.0.1:\(port)", "$PORT": "\(port)", "$KNOWN": Self.knownState]
        while let character = text.first {
            if let (placeholder, value) = placeholders.first(where: { text.hasPrefix($0.key) }) {
                bytes += value.utf8
                text = text.dropFirst(placeholder.count)
            } else if character == "\\" {
                bytes += Self.escape(&text)
            } else {
                bytes += String(character).utf8
                text = text.dropFirst()
            }
        }
        return bytes
    }

    private static func escape(_ text: inout Substring) -> [UInt8] {
        let rest = text.dropFirst()
        let simple: [Character: UInt8] = ["r": 13, "n": 10, "t": 9, "0": 0, "\\": 92]
        if let character = rest.first, let byte = simple[character] {
            text = rest.dropFirst()
            return [byte]
        }
        if rest.first == "x", let byte = UInt8(rest.dropFirst().prefix(2), radix: 16) {
            text = rest.dropFirst(3)
            return [byte]
        }
        if rest.first == "{", let end = rest.firstIndex(of: "}") {
            let parts = rest[rest.index(after: rest.startIndex)..<end].split(separator: "*", maxSplits: 1)
            text = rest[rest.index(after: end)...]
            return Array(repeatElement(Array(parts[1].utf8), count: Int(parts[0]) ?? 0).joined())
        }
        Issue.record("an escape that is none: \(rest.prefix(10))")
        text = rest
        return []
    }
}
