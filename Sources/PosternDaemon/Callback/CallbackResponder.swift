import CallbackServer
import NIOCore
import PosternApplication
import PosternCore
import PosternInterface

/// Answers requests to the callback listener from the application.
@DaemonActor
final class CallbackResponder: CallbackDelegate {
    private let front: ConfiguredDaemon
    private let events: EventLog
    private var hasToldOfForeigner = false

    init(front: ConfiguredDaemon, events: EventLog) {
        self.front = front
        self.events = events
    }

    nonisolated func pageServed(on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        answer(on: eventLoop) { _ in }
    }

    /// Once: anyone who can connect could fill the log.
    nonisolated func foreignConnectionClosed(user: UInt32?) {
        guard let user else { return }
        DaemonActor.start {
            guard !self.hasToldOfForeigner else { return }
            self.hasToldOfForeigner = true
            self.events.report(
                .callbackRefused,
                "a program of user \(user) connected to the callback address and was refused; further ones are not logged. "
                    + "If that was your browser, as in a container or on WSL, set same-user = false under [callback]", level: .notice)
        }
    }

    nonisolated func acceptFailed(_ reason: String) {
        DaemonActor.start { self.events.report(.configuration, "callback address: \(reason)") }
    }

    nonisolated func discoveryDocument(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        answer(on: eventLoop) { $0.discoveryDocument }
    }

    nonisolated func keySet(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        answer(on: eventLoop) { await $0.keySet() }
    }

    nonisolated func endSessionPage(id: String, on eventLoop: any EventLoop) -> EventLoopFuture<Secret?> {
        answer(on: eventLoop) { $0.endSessionPageOpened(id) }
    }

    nonisolated func endSessionReturned(state: Secret, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        answer(on: eventLoop) { $0.endSessionReturned(state) }
    }

    nonisolated func callbackReceived(
        _ callback: LoopbackCallback, on eventLoop: any EventLoop
    ) -> EventLoopFuture<CallbackDisposition> {
        answer(on: eventLoop) { await $0.redirectReturned(callback) }
    }

    nonisolated func result(ofPage id: String, on eventLoop: any EventLoop) -> EventLoopFuture<SignInResult?> {
        answer(on: eventLoop) { await $0.result(ofPage: id) }
    }

    nonisolated func linkAnswered(
        _ answer: LinkReview.Answer, about link: Int, onPage id: String, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool> {
        self.answer(on: eventLoop) { await $0.linkAnswered(answer, about: link, onPage: id) }
    }

    /// Browsers are served on a separate thread; what they are sent is known here.
    private nonisolated func answer<Value: Sendable>(
        on eventLoop: any EventLoop, _ work: @escaping @Sendable @DaemonActor (CallbackService) async -> Value
    ) -> EventLoopFuture<Value> {
        let promise = eventLoop.makePromise(of: Value.self)
        DaemonActor.start {
            do throws(ConfigurationInvalid) { promise.succeed(await work(try await self.service())) } catch { promise.fail(error) }
        }
        return promise.futureResult
    }

    private func service() async throws(ConfigurationInvalid) -> CallbackService {
        if !front.isInOrder, let problem = await front.configurationProblem() { throw ConfigurationInvalid(problem) }
        guard let service = front.callbacks else { throw ConfigurationInvalid("the configuration was not read yet") }
        return service
    }
}
