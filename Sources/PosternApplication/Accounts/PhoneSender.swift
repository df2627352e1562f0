import PosternConfiguration
import PosternCore
import StrictJSON

/// Sends codes to phones, with the configured program or gateway.
@DaemonActor
final class PhoneSender: Grounded {
    private let transport: any ProviderTransport
    private let commands: any CommandRunning
    let ground: Ground

    init(_ ground: Ground, transport: any ProviderTransport, commands: any CommandRunning) {
        self.transport = transport
        self.commands = commands
        self.ground = ground
    }

    private var delivery: LoadedConfiguration.PhoneDelivery { settings.phone }

    /// - Throws: if codes cannot be sent at all, and why.
    func check() throws(AccountFailure) {
        switch delivery {
        case .command, .gateway: return
        case .none: throw .secondFactor(.telephonesOutOfReach(problem: nil))
        case .unusable(let problem): throw .secondFactor(.telephonesOutOfReach(problem: problem))
        }
    }

    /// Sends it once; even if this fails, the code may have been sent.
    func send(_ code: Secret, to number: PhoneNumber, issuer: String) async throws(AccountFailure) {
        try check()
        try await platform.work.count { () async throws(AccountFailure) in try await deliver(code, to: number, issuer: issuer) }
    }

    private func deliver(_ code: Secret, to number: PhoneNumber, issuer: String) async throws(AccountFailure) {
        let message = Self.message(code, to: number, issuer: issuer)
        let problem: String?
        switch delivery {
        // With a line feed, so that a script can read it as a line.
        case .command(let command):
            problem = await commands.run(command, input: message + [UInt8(ascii: "\n")], variables: [:])
                .map { "the program \(command.name) \($0)" }
        case .gateway(let url, let token, let caFile): problem = await post(message, to: url, token: token, caFile: caFile)
        case .none, .unusable: return
        }
        guard let problem else { return }
        events.report(.providerProblem, "a code could not be sent to a phone: \(problem)")
        throw .secondFactor(.messageNotSent(problem: problem))
    }

    /// What the program and the gateway receive: `to`, `code`, and `text`, the message with the code for a user.
    static func message(_ code: Secret, to number: PhoneNumber, issuer: String) -> [UInt8] {
        var document = JSONObject()
        document.set("to", number.text)
        document.set("code", code.reveal())
        document.set(
            "text",
            "\(code.reveal()) is your code for \(issuer). It is valid for \(SentCode.lifetimeSeconds / 60) minutes; do not share it.")
        return document.serialized
    }

    private func post(_ message: [UInt8], to url: EndpointURL, token: Secret?, caFile: String?) async -> String? {
        var headers = [(name: "Content-Type", value: "application/json"), (name: "Accept", value: "application/json")]
        if let token { headers.append((name: "Authorization", value: "Bearer \(token.reveal())")) }
        let request = ProviderRequest(method: "POST", url: url.text, headers: headers, body: message)
        do throws(TransportFailure) {
            let response = try await transport.send(request, caFile: caFile, maximumBodyBytes: 65_536)
            return 200...299 ~= response.status ? nil : "the gateway \(url.host) answered with status \(response.status)"
        } catch {
            return "no answer from the gateway: \(error)"
        }
    }
}
