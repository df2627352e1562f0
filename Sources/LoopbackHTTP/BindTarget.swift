/// Where to listen.
public enum BindTarget: Sendable, Hashable {
    /// A literal loopback address, `127.0.0.1` or `::1`, and a port; port 0 takes a free one, the same for every address
    /// of the listener.
    case address(host: String, port: Int)
    /// A listening TCP socket that a service manager passed. The listener owns it from then on.
    case fileDescriptor(Int32)
}
