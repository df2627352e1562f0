import NIOCore
import PosternCrypto

/// TLS contexts with the authorities that are trusted, for as long as requests come.
///
/// The system's authorities are megabytes in memory: they are read at the first request and let go a while after the last.
final class TrustedContexts {
    private static let keptFor = TimeAmount.seconds(30)

    private let eventLoop: any EventLoop
    private var contexts: [String: TLSContext] = [:]
    private var release: Scheduled<Void>?

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// - Parameter caFile: further authorities, for one provider; nil for the system's alone.
    func context(caFile: String?) throws(TLSError) -> TLSContext {
        eventLoop.assertInEventLoop()
        release?.cancel()
        release = eventLoop.assumeIsolated().scheduleTask(in: Self.keptFor) { [weak self] in
            self?.contexts = [:]
            self?.release = nil
        }
        if let context = contexts[caFile ?? ""] { return context }
        let context = try TLSContext.client(extraAuthorities: caFile)
        contexts[caFile ?? ""] = context
        return context
    }
}
