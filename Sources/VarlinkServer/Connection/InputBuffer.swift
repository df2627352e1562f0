/// What a client has sent and has not been processed yet.
///
/// New bytes stay where they were read, in memory that all connections share, until ``keep()``: most calls arrive complete, and are carried
/// out before that.
struct InputBuffer {
    private var kept: [UInt8] = []
    /// Valid until ``keep()``. Nil while earlier bytes are kept.
    private var fresh: UnsafeRawBufferPointer?
    /// Bytes at the beginning that were dropped.
    private var start = 0

    var count: Int { (fresh?.count ?? kept.count) - start }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let fresh { return body(UnsafeRawBufferPointer(rebasing: fresh[start...])) }
        return kept.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }

    mutating func drop(_ count: Int) { start += count }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        keep()
        if kept.isEmpty { fresh = bytes } else { kept.append(contentsOf: bytes) }
    }

    /// Nothing is kept for a silent connection, and of dropped bytes not much.
    mutating func keep() {
        if let fresh {
            kept = Array(fresh[start...])
            (self.fresh, start) = (nil, 0)
        } else if start == kept.count {
            if start > 0 { self = InputBuffer() }
        } else if start > 64 << 10 {
            kept.removeFirst(start)
            start = 0
        }
    }
}
