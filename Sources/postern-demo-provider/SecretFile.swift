import ArgumentParser
import Glibc
import PosternCore

enum SecretFile {
    static func firstLine(of path: String) throws -> Secret {
        guard let file = fopen(path, "re") else { throw ValidationError("the file \(path) cannot be read") }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 4097)
        let count = fread(&buffer, 1, buffer.count, file)
        let line = buffer[..<count].prefix { $0 != 0x0A && $0 != 0x0D }
        guard 1...4096 ~= line.count else { throw ValidationError("the first line of \(path) must have 1 to 4096 bytes") }
        return Secret(line)
    }
}
