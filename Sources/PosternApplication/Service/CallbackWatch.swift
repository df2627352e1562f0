import PosternCore

/// Makes sure that the callback listener holds the addresses that are needed.
///
/// An address that another process has is tried again when it is needed, and at intervals while a sign-in waits for its answer there. An
/// idle daemon tries nothing.
@DaemonActor
final class CallbackWatch: AddressSeeking {
    /// Between two attempts, in milliseconds: a user who has closed the other program waits at most this long.
    private static let pause: Int64 = 2000

    let listener: any CallbackListening
    private let providers: ProviderDirectory
    private let coordinator: SignInCoordinator
    private let platform: Platform
    private var timer: (any PendingTimer)?

    init(listener: any CallbackListening, providers: ProviderDirectory, coordinator: SignInCoordinator, platform: Platform) {
        self.listener = listener
        self.providers = providers
        self.coordinator = coordinator
        self.platform = platform
    }

    var need: CallbackNeed {
        CallbackNeed(
            localhost: providers.all.contains { $0.redirectHost == .localhost && $0.redirectURI == nil && $0.problem == nil },
            awaited: coordinator.signIns.awaitedURIs)
    }

    func seek() async {
        await listener.seek(need)
        platform.activityChanged()
        watch()
    }

    func seekMissing() async {
        if !CallbackOrigins(listener).isComplete { await seek() }
    }

    /// A sign-in began or ended.
    func watch() {
        guard hasUnserved else {
            timer?.cancel()
            timer = nil
            return
        }
        guard timer == nil else { return }
        timer = platform.timers.after(milliseconds: Self.pause) { [weak self] in
            guard let self else { return }
            timer = nil
            platform.work.start { await self.seek() }
        }
    }

    /// A sign-in waits for an answer at an address that we do not hold now.
    private var hasUnserved: Bool {
        let awaited = coordinator.signIns.awaitedURIs
        guard !awaited.isEmpty else { return false }
        switch listener.status {
        case .unusable: return true
        case .open(let reach): return !awaited.allSatisfy(reach.serves)
        }
    }
}
