import NIOCore
import PosternCrypto

/// NIO's own closures rethrow any error; these keep its type.
extension ByteBuffer {
    /// Gives the body access to the readable bytes.
    func withBytes(_ body: (UnsafeRawBufferPointer) throws(TLSError) -> Void) throws(TLSError) {
        let outcome = withUnsafeReadableBytes { bytes -> Result<Void, TLSError> in
            do throws(TLSError) { return .success(try body(bytes)) } catch { return .failure(error) }
        }
        try outcome.get()
    }

    /// Gives the body room for at least this many bytes, and moves the writer index by as many as it wrote.
    mutating func fill(
        minimum: Int, _ body: (UnsafeMutableRawBufferPointer) throws(TLSError) -> TLSSession.ReadResult
    ) throws(TLSError) -> TLSSession.ReadResult {
        var outcome = Result<TLSSession.ReadResult, TLSError>.success(.needsMore)
        writeWithUnsafeMutableBytes(minimumWritableBytes: minimum) { bytes in
            do throws(TLSError) {
                let result = try body(bytes)
                outcome = .success(result)
                if case .bytes(let count) = result { return count }
            } catch {
                outcome = .failure(error)
            }
            return 0
        }
        return try outcome.get()
    }
}
