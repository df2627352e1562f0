import Glibc

/// One case of a table in a directory of text files: the expected outcome on the first line, the input after it.
///
/// In the input `<0A>` stands for a byte and `<5B*100>` for a hundred of them. The newline at the file's end is not part of it.
public struct HostileFile: Sendable, CustomStringConvertible {
    public var name: String
    public var outcome: String
    public var input: [UInt8]

    public var description: String { name }

    /// The cases of the directory beside the file that calls, which belongs to a target of the tests.
    ///
    /// - Parameter up: how many directories further up.
    public static func all(in directory: String, beside file: String = #filePath, up: Int = 0) -> [HostileFile] {
        let path = file.split(separator: "/").dropLast(1 + up).map { "/" + $0 }.joined() + "/" + directory
        guard let listing = opendir(path) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".txt") { names.append(name) }
        }
        return names.sorted().compactMap { HostileFile(name: String($0.dropLast(4)), contents: read("\(path)/\($0)")) }
    }

    private init?(name: String, contents: [UInt8]) {
        guard let end = contents.firstIndex(of: 0x0A), contents.last == 0x0A else { return nil }
        self.name = name
        outcome = String(decoding: contents[..<end], as: UTF8.self)
        input = Self.expand(contents[(end + 1)...].dropLast())
    }

    private static func expand(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
                let parts = String(decoding: rest[..<end], as: UTF8.self).split(separator: "*")
                if parts[0].utf8.count == 2, let value = UInt8(parts[0], radix: 16) {
                    bytes.append(contentsOf: repeatElement(value, count: parts.count == 2 ? Int(parts[1]) ?? 1 : 1))
                    rest = rest[(end + 1)...]
                    continue
                }
            }
            bytes.append(byte)
        }
        return bytes
    }

    private static func read(_ path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }
}
