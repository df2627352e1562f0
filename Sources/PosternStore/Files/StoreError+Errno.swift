import Glibc
import PosternCore

extension StoreError {
    /// An error of the system about a file.
    ///
    /// - Parameters:
    ///   - code: `errno`, taken right after the call.
    ///   - action: what was tried, as in "cannot be made".
    static func system(_ code: Int32, file: String, action: String) -> StoreError {
        let kind: Kind =
            switch code {
            // EFBIG is a limit on the size of files, which the person meets as a full disk.
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS: .readOnly
            case EIO: .io
            case ENOMEM: .outOfMemory
            default: .cannotOpen
            }
        return StoreError(kind, file: file, reason: "\(action): \(String(cString: strerror(code)))")
    }
}
