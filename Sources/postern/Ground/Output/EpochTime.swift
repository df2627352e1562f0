import PosternValues

/// A time in whole seconds since 1970, written in the daemon's format: `2026-11-22T03:00:00Z` (RFC 3339, in UTC).
struct EpochTime: Equatable {
    var seconds: Int64

    init(seconds: Int64) { self.seconds = seconds }

    /// Nil if the text is not of this format; a fraction of a second is dropped.
    init?(_ text: String) {
        guard let time = Timestamp(internetDate: text) else { return nil }
        seconds = time.seconds
    }

    /// Nil outside the years 1970 to 9999.
    var text: String? { 0..<253_402_300_800 ~= seconds ? Timestamp(seconds: seconds).description : nil }
}
