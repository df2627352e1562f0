import Glibc

/// Its own directory for one test; gone with it.
final class PrivateDirectory {
    let path: String

    init() {
        var template = Array("/tmp/postern-test-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, mkdtemp(start) != nil else { return "/nonexistent" }
            return String(cString: start)
        }
    }

    deinit { Self.remove(path) }

    @discardableResult
    func write(_ name: String, _ text: String, mode: mode_t = 0o600) -> String {
        let file = "\(path)/\(name)"
        guard let stream = fopen(file, "w") else { return file }
        fputs(text, stream)
        fclose(stream)
        chmod(file, mode)
        return file
    }

    @discardableResult
    func makeDirectory(_ name: String) -> String {
        mkdir("\(path)/\(name)", 0o700)
        return "\(path)/\(name)"
    }

    private static func remove(_ path: String) {
        if let stream = opendir(path) {
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                    field.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)) { String(cString: $0) }
                }
                if name != ".", name != ".." { remove("\(path)/\(name)") }
            }
            closedir(stream)
            rmdir(path)
        } else {
            unlink(path)
        }
    }
}
