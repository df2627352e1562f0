import CProcess
import CSystemd
import Glibc
import Synchronization

/// Notifications on the desktop, with a button each.
///
/// They are shown by `org.freedesktop.Notifications`; where that does not answer on the session bus, as inside Flatpak, by the desktop
/// portal. Which it is, is found out whenever the first one is shown.
///
/// One connection to the session bus, on a thread of its caller's, which ``run(_:)`` keeps for as long as something is shown: some
/// desktops tell the press of a button to the connection alone that showed it, and take notifications back when that goes. Nothing is
/// connected while nothing is shown. The thread sleeps in the kernel until the bus or ``send(_:)`` wakes it.
public final class DesktopNotifications: Sendable {
    public struct Notification: Sendable, Equatable {
        /// Another one with the same key takes its place.
        public var key: String
        public var summary: String
        /// Plain text, which is escaped where the desktop takes markup.
        public var body: String
        /// The words on the button; nil: there is none.
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
        /// - activationToken: with it the desktop lets the browser that is opened now come to the front.
        case buttonPressed(key: String, activationToken: ActivationToken?)
        case closed(key: String)
        /// Or not any more: the bus or the desktop has gone.
        case notShown(key: String, reason: String)
    }

    private struct State {
        var commands: [Command] = []
        var isRunning = false
    }

    /// Far more than there are accounts.
    private static let mostCommands = 1024

    private let state = Mutex(State())
    /// A pipe: readable once a command waits.
    private let waker: (reading: Int32, writing: Int32)
    private let portalHelper: [String]
    private let environment: [String: String]

    /// - Parameters:
    ///   - portalHelper: a command that calls ``PortalNotifications/answer()``.
    ///   - environment: where that finds the session bus.
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
    /// - Returns: true if nobody runs, and ``run(_:)`` is to be called.
    public func send(_ command: Command) -> Bool {
        let mustRun = state.withLock { state in
            // Whoever waits that long for a desktop is not helped by more.
            if state.commands.count < Self.mostCommands { state.commands.append(command) }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        // A pipe that is full wakes as well.
        var byte: UInt8 = 0
        _ = write(waker.writing, &byte, 1)
        return mustRun
    }

    /// Nobody can run: what waits is told to be not shown.
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
            // What was shown may be there still, without anybody who hears its button.
            for key in board.keys { tell(.closed(key: key)) }
            giveUp(error.description, tell: tell)
        }
    }

    private func openBoard() throws(BusError) -> any NotificationBoard {
        do throws(BusError) { return try DesktopBoard() } catch {
            // Without a bus there is no portal either.
            guard error.name != nil else { throw error }
            do throws(LaunchError) {
                return try PortalHelperBoard(portalHelper, environment: environment, instead: error)
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

    /// A command that comes in this moment finds a runner, or makes one.
    private func endIfIdle() -> Bool {
        state.withLock { state in
            guard state.commands.isEmpty else { return false }
            state.isRunning = false
            return true
        }
    }
}

/// Where notifications are shown; for one thread.
///
/// What is thrown with an error's name was said by a service about one notification; without one, nothing more can be shown.
protocol NotificationBoard {
    /// Nothing is shown, and nothing waits to be withdrawn.
    var isEmpty: Bool { get }
    /// Of what is shown.
    var keys: [String] { get }
    func perform(_ command: DesktopNotifications.Command, tell: (DesktopNotifications.Event) -> Void) throws(BusError)
    /// Hears what has come, and waits for nothing.
    func listen(tell: (DesktopNotifications.Event) -> Void) throws(BusError)
    /// Returns when something may have come, or when the descriptor is readable.
    func wait(orFor waker: Int32) throws(BusError)
}
