import CProcess
import CSystemd
import Glibc
import Synchronization

/// Notifications on the desktop, with a button each.
///
/// They are shown by `org.freedesktop.Notifications`; if that does not answer on the session bus, as inside Flatpak, by the desktop portal.
/// Which of them is determined each time the first one is shown.
///
/// One connection to the session bus, on a thread of the caller, which ``run(_:)`` uses as long as something is shown: some desktops report
/// the press of a button only to the connection that showed it, and withdraw its notifications when it ends. While nothing is shown, there
/// is no connection. The thread sleeps in the kernel until the bus or ``send(_:)`` wakes it.
public final class DesktopNotifications: Sendable {
    public struct Notification: Sendable, Equatable {
        /// A later notification with the same key replaces it.
        public var key: String
        public var summary: String
        /// Plain text, which is escaped if the desktop accepts markup.
        public var body: String
        /// The button's label; nil if it has none.
        public var button: String?

        public init(key: String, summary: String, body: String, button: String?) {
            self.key = key
            self.summary = summary
            self.body = body
            self.button = button
        }
    }

    public enum Command: Sendable {
        case show(Notification)
        case withdraw(key: String)
        case withdrawAll
    }

    public enum Event: Sendable, Equatable {
        /// - activationToken: lets the browser that is opened now come to the front.
        case buttonPressed(key: String, activationToken: ActivationToken?)
        case closed(key: String)
        /// Or no longer shown: the bus or the desktop has gone.
        case notShown(key: String, reason: String)
    }

    private struct State {
        var commands: [Command] = []
        var isRunning = false
    }

    /// Far more than there are accounts.
    private static let mostCommands = 1024

    private let state = Mutex(State())
    /// A pipe: readable if a command waits.
    private let waker: (reading: Int32, writing: Int32)
    private let portalHelper: [String]
    private let environment: [String: String]

    /// - Parameters:
    ///   - portalHelper: a command that calls ``PortalNotifications/answer()``.
    ///   - environment: used to find the session bus.
    public init(portalHelper: [String], environment: [String: String]) {
        self.portalHelper = portalHelper
        self.environment = environment
        var ends: [Int32] = [-1, -1]
        _ = postern_pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        waker = (ends[0], ends[1])
    }

    deinit {
        close(waker.reading)
        close(waker.writing)
    }

    /// Never blocks.
    ///
    /// - Returns: true if no thread is running, and ``run(_:)`` must be called.
    public func send(_ command: Command) -> Bool {
        let mustRun = state.withLock { state in
            // If a desktop is that slow, more commands do not help.
            if state.commands.count < Self.mostCommands { state.commands.append(command) }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        // A full pipe wakes it as well.
        var byte: UInt8 = 0
        _ = write(waker.writing, &byte, 1)
        return mustRun
    }

    /// No thread can run: what waits is reported as not shown.
    public func giveUp(_ reason: String, tell: (Event) -> Void) {
        let commands = state.withLock { state in
            defer { state = State() }
            return state.commands
        }
        for case .show(let notification) in commands { tell(.notShown(key: notification.key, reason: reason)) }
    }

    /// Carries out commands until none is left and nothing is shown; blocks.
    ///
    /// - Parameter tell: called on this thread.
    public func run(_ tell: (Event) -> Void) {
        guard waker.reading >= 0 else { return giveUp("no file descriptor is available", tell: tell) }
        let board: any NotificationBoard
        do throws(BusError) { board = try openBoard() } catch { return giveUp(error.description, tell: tell) }
        do throws(BusError) {
            repeat {
                for command in take() { try board.perform(command, tell: tell) }
                try board.listen(tell: tell)
                if board.isEmpty, endIfIdle() { return }
                try board.wait(orFor: waker.reading)
            } while true
        } catch {
            // Notifications may still be visible, but nobody handles their buttons.
            for key in board.keys { tell(.closed(key: key)) }
            giveUp(error.description, tell: tell)
        }
    }

    private func openBoard() throws(BusError) -> any NotificationBoard {
        do throws(BusError) { return try DesktopBoard() } catch {
            // Without a bus there is no portal either.
            guard error.name != nil else { throw error }
            do throws(LaunchError) {
                return try PortalProcessBoard(portalHelper, environment: environment, instead: error)
            } catch let problem {
                throw BusError(name: nil, reason: "\(error); the helper that asks the desktop portal was not started: \(problem)")
            }
        }
    }

    private func take() -> [Command] {
        var bytes = [UInt8](repeating: 0, count: Self.mostCommands)
        while read(waker.reading, &bytes, bytes.count) == bytes.count {}
        return state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// A command that arrives at this moment finds a running thread, or starts one.
    private func endIfIdle() -> Bool {
        state.withLock { state in
            guard state.commands.isEmpty else { return false }
            state.isRunning = false
            return true
        }
    }
}

/// Shows notifications; for one thread.
///
/// An error with a name comes from a service and concerns one notification; after one without, nothing more can be shown.
protocol NotificationBoard {
    /// Nothing is shown, and nothing waits to be withdrawn.
    var isEmpty: Bool { get }
    /// Of the visible notifications.
    var keys: [String] { get }
    func perform(_ command: DesktopNotifications.Command, tell: (DesktopNotifications.Event) -> Void) throws(BusError)
    /// Processes what has arrived, without waiting.
    func listen(tell: (DesktopNotifications.Event) -> Void) throws(BusError)
    /// Returns when something may have arrived, or when the descriptor is readable.
    func wait(orFor waker: Int32) throws(BusError)
}
