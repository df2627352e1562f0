import COpenSSL
import Glibc

/// OpenSSL's error queue of the calling thread.
///
/// It is emptied after every failure, and before every call whose result is read from it (`SSL_get_error`): otherwise an entry left by one
/// operation would be taken for the result of the next.
enum ErrorQueue {
    static func clear() { ERR_clear_error() }

    /// Empties the queue and returns the reasons, oldest first, at most four: the oldest is the cause.
    static func drain() -> String {
        var reasons: [String] = []
        var isOfSystem = false
        while true {
            let code = ERR_get_error()
            if code == 0 { break }
            // The layers that pass on a system error add "system lib", or the same in other words.
            if reasons.count < 4, !isOfSystem { reasons.append(reason(of: code)) }
            isOfSystem = isOfSystem || systemError(of: code) != nil
        }
        return reasons.joined(separator: ", ")
    }

    private static func reason(of code: UInt) -> String {
        if let error = systemError(of: code) { return text(ofSystemError: error) }
        if let text = ERR_reason_error_string(code) { return String(cString: text) }
        return "error 0x\(String(code, radix: 16))"
    }

    /// `ERR_SYSTEM_ERROR`, which is not imported because it is inline: the highest of the 32 bits is set, the others are an errno. OpenSSL
    /// has no text for it.
    private static func systemError(of code: UInt) -> Int32? {
        code & 0x8000_0000 == 0 ? nil : Int32(truncatingIfNeeded: code & 0x7fff_ffff)
    }

    private static func text(ofSystemError code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else { return "error \(code)" }
            return String(cString: start)
        }
    }
}
