import PosternInterface

extension PosternClient {
    /// Calls any method of the interface once, on a connection of its own.
    ///
    /// Every method has a function of its own, too, such as ``listProviders()``.
    ///
    /// - Throws: ``PosternError``, or `CancellationError` if the task is cancelled; the daemon then gives up the call.
    public func call<Parameters: MethodParameters>(_ parameters: Parameters) async throws -> Parameters.Reply {
        try await places.withPlace { try await connectAndCall(parameters) }
    }

    private func connectAndCall<Parameters: MethodParameters>(_ parameters: Parameters) async throws -> Parameters.Reply {
        let slot = CallSlot()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (path, servers) = (socketPath, servers)
                let isStarted = DedicatedThread.start {
                    let result: Result<Parameters.Reply, any Error>
                    do throws(PosternError) {
                        let connection = try slot.connect(socketPath: path, servers: servers)
                        defer { connection.close() }
                        result = .success(try connection.call(parameters))
                    } catch {
                        result = .failure(Self.thrown(error))
                    }
                    continuation.resume(with: result)
                }
                if !isStarted { continuation.resume(throwing: Self.noThread) }
            }
        } onCancel: {
            slot.cancel()
        }
    }

    /// Calls a method with `more`, and yields an element for each reply as it arrives.
    func replies<Parameters: MethodParameters, Element: Sendable>(
        to parameters: Parameters, _ element: @escaping @Sendable (Parameters.Reply) -> Element
    ) -> AsyncThrowingStream<Element, any Error> {
        let (path, servers) = (socketPath, servers)
        return AsyncThrowingStream { continuation in
            let slot = CallSlot()
            continuation.onTermination = { _ in slot.cancel() }
            let isStarted = DedicatedThread.start {
                do {
                    let connection = try slot.connect(socketPath: path, servers: servers)
                    defer { connection.close() }
                    try connection.callMore(Parameters.method.name, parameters.object) { reply in
                        continuation.yield(element(try PosternConnection.read(Parameters.Reply.self, from: reply)))
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: Self.thrown(error))
                }
            }
            if !isStarted { continuation.finish(throwing: Self.noThread) }
        }
    }

    /// Only the cancellation of its own task closes a call's connection.
    private static func thrown(_ error: any Error) -> any Error {
        if case PosternError.cancelled = error { return CancellationError() }
        return error
    }

    private static var noThread: PosternError { .connectionLost(reason: "no thread could be started") }
}
