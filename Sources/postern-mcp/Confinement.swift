import CProcess
import Glibc

/// What this process gives up before it talks to a server that may be hostile: reading files of the user, writing any, starting programs.
/// Where the kernel or a container does not allow one of these, the others hold.
enum Confinement {
    /// To be called before other threads are started, which would be without it; and once everything in the file system is made that is needed.
    static func begin() {
        _ = postern_forbid_dumps()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        guard postern_no_new_privileges() == 0 else { return }
        let paths = readable.map { strdup($0) }
        defer { for path in paths { free(path) } }
        (paths.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { _ = postern_read_only_below($0.baseAddress) }
        _ = postern_no_programs()
    }

    /// Where certificates, OpenSSL's settings and what finds a host's addresses are.
    private static var readable: [String] {
        var paths = [
            "/etc", "/usr", "/lib", "/lib64", "/nix/store", "/gnu/store", "/var/lib/ca-certificates", "/run/systemd/resolve",
            "/run/NetworkManager", "/run/resolvconf", "/run/nscd", "/var/run/nscd", "/mnt/wsl",
        ]
        for name in ["SSL_CERT_FILE", "SSL_CERT_DIR", "OPENSSL_CONF", "OPENSSL_MODULES"] {
            guard let value = getenv(name) else { continue }
            // A list of directories, or one path.
            paths += String(cString: value).utf8.split(separator: UInt8(ascii: ":")).map { String(decoding: $0, as: UTF8.self) }
        }
        return paths
    }
}
