import COpenSSL

/// OpenSSL's error queue of the calling thread.
///
/// It is emptied after every failure, and before every call whose outcome is read from it (`SSL_get_error`): an entry
/// left by one operation would otherwise be taken for the outcome of the next.
enum ErrorQueue {
    static func clear() { ERR_clear_error() }

    /// Empties the queue and gives the reasons, oldest first, at most four: the oldest is the cause.
    static func drain() -> String {
        var reasons: [String] = []
        while true {
            let code = ERR_get_error()
            if code == 0 { break }
            if reasons.count < 4 { reasons.append(reason(of: code)) }
        }
        return reasons.joined(separator: ", ")
    }

    private static func reason(of code: UInt) -> String {
        if let text = ERR_reason_error_string(code) { return String(cString: text) }
        return "error 0x\(String(code, radix: 16))"
    }
}
