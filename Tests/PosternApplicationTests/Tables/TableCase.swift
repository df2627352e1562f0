import Foundation
import StrictJSON
import Testing

/// A case of a text file: a line with its number and its name, and its steps, one a line. Other lines that begin with `#` are comments; a
/// line `end-to-end` says that a daemon's process plays the case as well.
struct TableCase: Sendable, CustomTestStringConvertible {
    struct Step: Sendable {
        var text: String
        var location: SourceLocation
    }

    var file: String
    var title: String
    var steps: [Step] = []

    var testDescription: String { "\(file): \(title)" }

    var number: String { title.split(separator: " ").first.map(String.init) ?? "" }

    /// - Parameter marker: what the first line of a case begins with.
    static func all(in folder: String, marker: String) -> [TableCase] {
        var cases: [TableCase] = []
        for file in files(in: folder) {
            for (number, line) in lines(of: file, in: folder) {
                if line.hasPrefix(marker) {
                    cases.append(TableCase(file: file, title: String(line.dropFirst(marker.count))))
                } else if !line.hasPrefix("#"), line != "end-to-end" {
                    let path = "\(folder)/\(file).txt"
                    let location = SourceLocation(
                        fileID: "PosternApplicationTests/Tables/\(path)", filePath: "\(tests)/\(path)", line: number, column: 1)
                    cases[cases.count - 1].steps.append(Step(text: line, location: location))
                }
            }
        }
        return cases
    }

    static func files(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(tests)/\(folder)")) ?? []
        return names.filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.filter { $0 != "not-applicable" }.sorted()
    }

    /// The numbers that are not played: each, or two with a hyphen between them, has its reason beside it.
    static func notApplicable(in folder: String) throws -> Set<String> {
        var numbers: Set<String> = []
        for (number, line) in lines(of: "not-applicable", in: folder) where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            try #require(words.count > 1, "line \(number) of \(folder)/not-applicable.txt has no reason")
            let ends = words[0].split(separator: "-")
            if let first = Int(ends[0]), let last = ends.last.flatMap({ Int($0) }) {
                numbers.formUnion((first...last).map(String.init))
            } else {
                numbers.insert(String(words[0]))
            }
        }
        return numbers
    }

    private static let tests = String(#filePath.split(separator: "/").dropLast(1).map { "/" + $0 }.joined())

    private static func lines(of file: String, in folder: String) -> [(number: Int, text: String)] {
        let text = (try? String(contentsOfFile: "\(tests)/\(folder)/\(file).txt", encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0.offset + 1, String($0.element)) }
            .filter { $0.1.contains { $0 != " " } }
    }
}

extension TableCase.Step {
    /// - Throws: if that was not found, letter for letter; nil is nothing at all.
    func require(_ what: String, _ found: String?, is expected: String?) throws {
        try require(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(what) is \(found.shown), not \(expected.shown)")
    }

    func require(_ isTrue: Bool, _ problem: String) throws {
        try #require(isTrue, "\(text): \(problem)", sourceLocation: location)
    }
}

extension String? {
    fileprivate var shown: String { map { "'\($0)'" } ?? "absent" }
}

extension StringProtocol {
    /// As a shell splits them; only double quotes are known.
    var shellWords: [String] {
        var words: [String] = []
        var (isInWord, isQuoted) = (false, false)
        for scalar in unicodeScalars {
            if scalar == " ", !isQuoted {
                isInWord = false
                continue
            }
            if !isInWord { words.append("") }
            isInWord = true
            if scalar == "\"" { isQuoted.toggle() } else { words[words.count - 1].unicodeScalars.append(scalar) }
        }
        return words
    }
}

extension [String] {
    /// Those of the form `name=value`, which may be empty.
    var named: [String: String] {
        let pairs = filter { $0.contains("=") }.map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init) }
        return Dictionary(pairs.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    }
}

extension JSON {
    /// As a table has it: the elements of a list with commas between them.
    var tableText: String? {
        switch self {
        case .string(let text): text
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .array(let elements): elements.map { $0.tableText ?? "" }.joined(separator: ",")
        default: nil
        }
    }

    /// A member of each object in a list, with commas between them.
    func tableList(_ member: String) -> String? {
        arrayValue?.map { $0.objectValue?[member]?.tableText ?? "" }.joined(separator: ",")
    }
}
