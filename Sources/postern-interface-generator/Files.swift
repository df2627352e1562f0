import Glibc

enum Files {
    static func text(of path: String) throws(GeneratorError) -> String {
        guard let file = fopen(path, "r") else { throw failure(path, "cannot be read") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw GeneratorError("\(path) is not UTF-8") }
        return text
    }

    static func write(_ text: String, to path: String) throws(GeneratorError) {
        guard let file = fopen(path, "w") else { throw failure(path, "cannot be written") }
        let bytes = Array(text.utf8)
        let isWhole = fwrite(bytes, 1, bytes.count, file) == bytes.count
        guard fclose(file) == 0, isWhole else { throw failure(path, "cannot be written") }
    }

    private static func failure(_ path: String, _ words: String) -> GeneratorError {
        GeneratorError("\(path) \(words): \(String(cString: strerror(errno))); run it in the root of the package")
    }
}
