import Foundation
import StrictJSON
import Testing

/// One case of a table in `Exchanges/`, whose README says what stands in them.
struct ExchangeCase: Sendable, CustomTestStringConvertible {
    /// A line that is not indented, and the indented ones below it.
    struct Part: Sendable {
        var word: String
        var rest: String
        var lines: [String] = []
        /// The file and the line.
        var place: String

        func require(_ isMet: Bool, _ complaint: @autoclosure () -> String) throws {
            guard isMet else { throw TestFailure("\(place): \(complaint())") }
        }
    }

    static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Exchanges"
    static let outcomes: Set = ["completed", "fails", "gives"]
    static let settings: Set = ["config", "keys", "metadata", "end-to-end"]
    static let steps: Set = ["ask", "page", "back", "code", "shown", "request", "answer", "call", "restart"]

    var provider: String
    var name: String
    var shared: [Part]
    var parts: [Part] = []

    var testDescription: String { "\(provider): \(name)" }

    static func all() throws -> [ExchangeCase] {
        try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".txt") }.sorted().flatMap {
            try read(String(contentsOfFile: "\(directory)/\($0)", encoding: .utf8), file: $0)
        }
    }

    static func read(_ text: String, file: String) throws -> [ExchangeCase] {
        var cases: [ExchangeCase] = []
        var provider = String(file.dropLast(4))
        var shared: [Part] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            guard !trimmed.isEmpty, !line.hasPrefix("#") else { continue }
            guard !line.hasPrefix("== ") else {
                cases.append(ExchangeCase(provider: provider, name: String(trimmed.dropFirst(3)), shared: shared))
                continue
            }
            var parts = cases.last?.parts ?? shared
            if line.hasPrefix(" ") {
                guard !parts.isEmpty else { throw TestFailure("\(file):\(index + 1): this line belongs to no part") }
                parts[parts.count - 1].lines.append(trimmed)
            } else {
                let (word, rest) = trimmed.cut(" ")
                let part = Part(word: word, rest: rest, place: "\(file):\(index + 1)")
                if word == "provider", cases.isEmpty {
                    provider = rest
                } else {
                    try part.require(outcomes.union(settings).union(steps).contains(word), "\(word) is no part of a case")
                    parts.append(part)
                }
            }
            if cases.isEmpty { shared = parts } else { cases[cases.count - 1].parts = parts }
        }
        guard Set(cases.map(\.name)).count == cases.count else { throw TestFailure("\(file) names a case twice") }
        return cases
    }

    /// The lines under `[provider."ID"]`, by their keys.
    var settings: [(key: String, line: String)] {
        var lines: [(key: String, line: String)] = []
        for line in (shared + parts).filter({ $0.word == "config" }).flatMap(\.lines) {
            let isLeftOut = line.hasPrefix("not ")
            let key = isLeftOut ? String(line.dropFirst(4)) : line.cut("=").0.trimmingCharacters(in: .whitespaces)
            lines.removeAll { $0.key == key }
            if !isLeftOut { lines.append((key, line)) }
        }
        return lines
    }

    var configuration: String { (["[provider.\"\(provider)\"]"] + settings.map(\.line)).joined(separator: "\n") }

    /// Each ends with its outcome.
    func scenes() throws -> [[Part]] {
        var scenes: [[Part]] = [[]]
        for part in parts where !Self.settings.contains(part.word) {
            scenes[scenes.count - 1].append(part)
            if Self.outcomes.contains(part.word) { scenes.append([]) }
        }
        let left = scenes.removeLast()
        try left.first?.require(false, "there is no outcome after this")
        return scenes
    }
}

extension String {
    /// What stands before the first separator, and after it.
    func cut(_ separator: Character) -> (String, String) {
        let parts = split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }
}

// MARK: Conditions

extension ExchangeCase.Part {
    /// Each line is `NAME = text`, `NAME ~ text`, `NAME = *`, or `not NAME`.
    func check(_ document: JSON, of subject: String = "", filling fill: (String) -> String) throws {
        for line in lines { try check(line, document, of: subject, filling: fill) }
    }

    func check(_ line: String, _ document: JSON, of subject: String, filling fill: (String) -> String) throws {
        let isForbidden = line.hasPrefix("not ")
        let (name, condition) = (isForbidden ? String(line.dropFirst(4)) : line).cut(" ")
        let found = document.member(fill(name))
        let what = subject + name
        guard !isForbidden else { return try require(found == nil && condition.isEmpty, "\(what) is there: \(found?.text ?? "")") }
        let (sign, expected) = fill(condition).cut(" ")
        try require(["=", "~"].contains(sign) && !expected.isEmpty, "`\(line)` is no condition")
        guard let found else { return try require(false, "there is no \(what)") }
        switch (sign, expected) {
        case ("~", _): try require((found.stringValue ?? found.text).contains(expected), "\(what) is \(found.text), without '\(expected)'")
        case (_, "*"): try require(found != "" && found != .null, "\(what) is empty")
        default:
            let isMet = found == .string(expected) || found == (try? JSON(parsing: expected))
            try require(isMet, "\(what) is \(found.text), not '\(expected)'")
        }
    }
}

extension JSON {
    init(_ pairs: [String: String]) { self = .object(pairs.reduce(into: [:]) { $0[$1.key] = .string($1.value) }) }

    /// The member with a dotted name; if names of members contain full stops, the longest match is used.
    func member(_ name: String) -> JSON? {
        if name.isEmpty { return self }
        if let elements = arrayValue {
            let (head, rest) = name.cut(".")
            return Int(head).flatMap { elements.indices.contains($0) ? elements[$0].member(rest) : nil }
        }
        let names = name.split(separator: ".", omittingEmptySubsequences: false)
        for count in stride(from: names.count, to: 0, by: -1) {
            guard let value = objectValue?[names.prefix(count).joined(separator: ".")] else { continue }
            return value.member(names.dropFirst(count).joined(separator: "."))
        }
        return nil
    }
}
