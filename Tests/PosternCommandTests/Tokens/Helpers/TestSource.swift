import PosternClient
import Secrets

@testable import TestDaemon
@testable import postern

/// Answers every request alike, and remembers them.
final class TestSource: HelperSource {
    private let fixed: HelperAnswer
    private(set) var questions: [HelperRequest] = []
    private(set) var refusals: [(token: Secret, url: String)] = []

    init(_ answer: HelperAnswer = .token(.sample)) { fixed = answer }

    func answer(_ request: HelperRequest) -> HelperAnswer {
        questions.append(request)
        return fixed
    }

    func refused(_ token: Secret, at url: String) { refusals.append((token, url)) }
}

extension HelperToken {
    static let sample = HelperToken(secret: "at-1", expiry: 1_767_225_600, tokenType: "Bearer", providerID: "work", uid: "1")
}

extension HelperCall {
    /// - Parameter input: more than 128 KiB is what ``HelperInput`` gives as nil.
    init(_ arguments: String..., input: String = "", environment: [String: String] = [:]) {
        self.init(arguments: arguments, bytes: Array(input.utf8), environment: environment)
    }

    init(arguments: [String], bytes: [UInt8], environment: [String: String] = [:]) {
        self.init(
            arguments: arguments, variable: { environment[$0] }, input: { _ in bytes.count > HelperInput.limit ? nil : bytes })
    }
}

extension HelperOutput {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// Every answer that is no token.
let fruitless: [HelperAnswer] = [.nothing("n"), .signInNeeded("s"), .unavailable("u"), .noDaemon("d")]
