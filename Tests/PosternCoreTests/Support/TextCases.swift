import Glibc

/// Files of cases beside the tests: the expected outcome on the first line, what leads to it below.
enum TextCases {
    struct Unreadable: Error {
        var path: String
    }

    /// The names of the files in a folder of `Hostile`, without `.txt`; empty if the folder is not there, which a test notices.
    static func names(in folder: String) -> [String] {
        guard let directory = opendir(path(folder)) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".txt") { names.append(String(name.dropLast(4))) }
        }
        return names.sorted()
    }

    /// - Returns: the first line, and all bytes behind it.
    static func read(_ name: String, in folder: String) throws -> (outcome: String, body: [UInt8]) {
        let path = path("\(folder)/\(name).txt")
        guard let file = fopen(path, "r") else { throw Unreadable(path: path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes[end...].dropFirst()))
    }

    private static func path(_ name: String) -> String {
        let support = #filePath
        let tests = support.split(separator: "/").dropLast(2).joined(separator: "/")
        return "/\(tests)/Hostile/\(name)"
    }
}
