import NIOCore
import PosternCore

/// Assembles an answer from its parts, and stops if it exceeds the limit.
final class ResponseCollector: StreamedExchangeHandler {
    weak var exchange: StreamedExchange?
    private let maximumBodyBytes: Int
    private let promise: EventLoopPromise<ProviderResponse>
    private var response = ProviderResponse(status: 0)

    init(maximumBodyBytes: Int, promise: EventLoopPromise<ProviderResponse>) {
        self.maximumBodyBytes = maximumBodyBytes
        self.promise = promise
    }

    func answered(_ answer: StreamedAnswer) {
        response = ProviderResponse(status: answer.status, headers: answer.headers)
        if let length = response.header("content-length").flatMap({ Int($0) }), length > maximumBodyBytes { exchange?.failed(tooLarge) }
    }

    func received(_ bytes: ByteBuffer) {
        guard bytes.readableBytes <= maximumBodyBytes - response.body.count else {
            exchange?.failed(tooLarge)
            return
        }
        response.body.append(contentsOf: bytes.readableBytesView)
    }

    func ended() { promise.succeed(response) }

    func failed(_ error: HTTPSClientError) { promise.fail(error) }

    private var tooLarge: ExchangeFailure {
        ExchangeFailure(.responseTooLarge, "answered with more than \(maximumBodyBytes) bytes")
    }
}
