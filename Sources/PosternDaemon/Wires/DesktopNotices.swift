import PosternApplication
import PosternConfiguration
import PosternSystemd

/// Notices as notifications of the desktop, away from the daemon's loop: a desktop may be slow.
@DaemonActor
final class DesktopNotices: NoticeBoard {
    /// In milliseconds: how long the shutdown of the daemon waits for the desktop.
    private static let patience: Int64 = 2000

    /// This program, whatever has become of its file since the start; it runs ``Daemon/notifyWithPortal()``.
    private static let portalHelper = ["/proc/self/exe", "--notify-with-portal"]

    private let desktop: DesktopNotifications
    private var listeners: [String: @Sendable @DaemonActor (NoticeEvent) -> Void] = [:]
    private let running = WorkTracker()

    init(environment: [String: String]) {
        desktop = DesktopNotifications(portalHelper: Self.portalHelper, environment: environment)
    }

    func show(_ notice: Notice, heard: @escaping @Sendable @DaemonActor (NoticeEvent) -> Void) {
        listeners[notice.id] = heard
        send(.show(.init(key: notice.id, summary: notice.summary, body: notice.body, button: notice.button)))
    }

    func withdraw(_ id: String) {
        listeners[id] = nil
        send(.withdraw(key: id))
    }

    func close() async {
        listeners = [:]
        guard !running.isEmpty() else { return }
        send(.withdrawAll)
        await running.whenEmpty(within: Self.patience, timers: LoopTimers())
    }

    private func send(_ command: DesktopNotifications.Command) {
        guard desktop.send(command) else { return }
        let desktop = desktop
        let tell: @Sendable (DesktopNotifications.Event) -> Void = { event in DaemonActor.start { self.happened(event) } }
        running.start {
            do throws(NoThread) { try await BlockingWork.run { desktop.run(tell) } } catch {
                desktop.giveUp(error.description, tell: tell)
            }
        }
    }

    private func happened(_ event: DesktopNotifications.Event) {
        switch event {
        case .buttonPressed(let key, let token):
            listeners.removeValue(forKey: key)?(.buttonPressed(activationToken: token?.text))
        case .closed(let key): listeners.removeValue(forKey: key)?(.closed)
        case .notShown(let key, let reason): listeners.removeValue(forKey: key)?(.notShown(reason))
        }
    }
}
