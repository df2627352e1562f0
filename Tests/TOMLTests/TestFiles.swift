import Glibc

/// Files beside the tests.
enum TestFiles {
    /// Their names, in order.
    static func names(in directory: String, beside file: String = #filePath) -> [String] {
        guard let stream = opendir(path(directory, beside: file)) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    static func bytes(_ name: String, beside file: String = #filePath) -> [UInt8] {
        guard let stream = fopen(path(name, beside: file), "r") else { return [] }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 { bytes.append(contentsOf: chunk[..<count]) }
        return bytes
    }

    private static func path(_ name: String, beside file: String) -> String {
        "\(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])/\(name)"
    }
}
