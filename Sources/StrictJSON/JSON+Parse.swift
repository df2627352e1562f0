extension JSON {
    /// Nesting that no honest message needs, and far below what the parser's stack could bear.
    public static let defaultDepthLimit = 64

    /// Reads exactly one value, white space around it allowed. The time is linear in the number of bytes.
    ///
    /// - Throws: ``JSONParseError``; a byte order mark, comments and trailing commas are refused too.
    public init(parsing bytes: UnsafeRawBufferPointer, depthLimit: Int = JSON.defaultDepthLimit) throws(JSONParseError) {
        var parser = JSONParser(bytes, depthLimit: depthLimit)
        self = try parser.document()
    }

    public init(parsing bytes: [UInt8], depthLimit: Int = JSON.defaultDepthLimit) throws(JSONParseError) {
        // Typed throws do not pass through the closure of `withUnsafeBytes` on every supported compiler.
        let result: Result<JSON, JSONParseError> = bytes.withUnsafeBytes { buffer in
            do throws(JSONParseError) { return .success(try JSON(parsing: buffer, depthLimit: depthLimit)) } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }

    public init(parsing text: String, depthLimit: Int = JSON.defaultDepthLimit) throws(JSONParseError) {
        try self.init(parsing: Array(text.utf8), depthLimit: depthLimit)
    }
}
