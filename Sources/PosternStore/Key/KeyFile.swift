import Glibc
import PosternCore
import PosternCrypto

/// The sealing key in a file beside the store, for machines without a keyring or systemd credentials.
public enum KeyFile {
    /// In the state directory.
    public static let name = "key"

    /// Creates a new key and its file.
    ///
    /// The file appears under its name complete and durable or not at all, so a crash leaves no partial key; what an earlier crash left
    /// under the working name is removed. An existing key is never replaced.
    public static func create(at path: String) throws(StoreError) -> SealingKey {
        let key = try StoreError.wrapping(random: SealingKey.generate(), in: path)
        let working = workingName(of: path)
        try OwnedFile.write(KeyText.encode(key), to: working)
        // Like `rename`, but it fails if a key exists.
        guard link(working, path) == 0 else {
            let code = errno
            unlink(working)
            guard code != EEXIST else {
                throw StoreError(.keyRefused, file: path, reason: "a key file already exists", advice: "use it, or move it away")
            }
            throw .system(code, file: path, action: "the key file cannot be made")
        }
        try OwnedFile.remove(working)
        try StateDirectory.synchronize(StateDirectory.parent(of: path))
        return key
    }

    /// Also removes the second name that a crash while creating the file left behind: whoever deletes the key means all of it.
    ///
    /// - Throws: ``StoreError/Kind/keyMissing`` or ``StoreError/Kind/keyRefused``, with the fix.
    public static func read(at path: String) throws(StoreError) -> SealingKey {
        guard let descriptor = try OwnedFile.open(path, refusing: .keyRefused, name: "the key file") else {
            throw StoreError(.keyMissing, file: path, reason: "the key file is missing, and the store cannot be opened without it")
        }
        // Reading one byte more than a key has shows whether the file is too long.
        let text = try descriptor.read(atMost: KeyText.byteCount + 1)
        guard text.count == KeyText.byteCount else {
            throw StoreError(
                .keyRefused, file: path,
                reason: "the key file has \(text.count > KeyText.byteCount ? "more than" : "only") "
                    + "\(min(text.count, KeyText.byteCount)) bytes instead of \(KeyText.byteCount)")
        }
        guard let key = KeyText.decode(text) else {
            throw StoreError(.keyRefused, file: path, reason: "the key file does not contain a Postern key")
        }
        if isSameFile(path, workingName(of: path)) { unlink(workingName(of: path)) }
        return key
    }

    private static func workingName(of path: String) -> String { "\(path).new" }

    private static func isSameFile(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return lstat(other, &second) == 0 && lstat(one, &first) == 0 && (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)
    }

    /// True also for something that is not a file; reading it then reports that.
    static func exists(at path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}

extension StoreError {
    /// - Parameter file: what the random value is for.
    static func wrapping<Value>(
        random value: @autoclosure () throws(CryptoError) -> Value, in file: String
    ) throws(StoreError) -> Value {
        do throws(CryptoError) { return try value() } catch {
            throw StoreError(.internal, file: file, reason: error.description, advice: "check that the system has a random source")
        }
    }
}
