/// A configuration file as it was found.
public struct ConfigurationFile: Sendable {
    /// Absolute; paths within are relative to its directory.
    public var path: String
    public var bytes: [UInt8]
    public var access: FileAccess

    public init(path: String, bytes: [UInt8], access: FileAccess) {
        self.path = path
        self.bytes = bytes
        self.access = access
    }
}
