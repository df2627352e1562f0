import PosternClient
import ProgramOptions
import StrictJSON

struct Call: DaemonCommand {
    static let name = "call"
    static let abstract = "Call any method of the socket, raw."
    static let discussion = """
        Each reply's parameters are one line of JSON. A name without a full stop is a method of io.postern. Other programs on this \
        machine can see a command line while it runs: with - the parameters are read from standard input.

        EXAMPLES
          postern call GetStatus
          postern call GetAccessToken '{"providerID": "github.com"}'
          postern call Monitor --more
          postern call org.varlink.service.GetInfo
        """

    let method: String
    let parameters: String?
    let more: Bool
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        method = line.argument("method", .methods, help: "The method.")
        parameters = line.optionalArgument("json", help: "The parameters, or - for standard input.")
        more = line.flag("more", help: "Take several replies.")
        common = line.commonOptions()
    }

    func perform() throws {
        let name = method.unicodeScalars.contains(".") ? method : "\(Interface.name).\(method)"
        let object = try Self.object(from: parameters == "-" ? StandardInput.readAll() : Array((parameters ?? "{}").utf8))
        do {
            try call(name, object)
        } catch let error as PosternError {
            let failure = Self.failure(error)
            throw failure.namingAccounts(of: object["providerID"]?.stringValue)
        }
    }

    private func call(_ name: String, _ object: JSONObject) throws {
        let connection = try connect()
        defer { connection.close() }
        guard more else {
            let reply = try connection.call(name, object)
            ProcessMemory.hide()
            return try StandardOutput.write(document: reply)
        }
        try connection.callMore(name, object, isWatched: true) {
            ProcessMemory.hide()
            try StandardOutput.write(documentLine: $0)
        }
    }

    /// Unprocessed as well: the error's name, and its sentence if it belongs to this interface.
    private static func failure(_ error: PosternError) -> CommandFailure {
        var failure = CommandFailure(error)
        switch error {
        case .refused(let refusal): failure.sentence = "\(refusal.name): \(failure.sentence)"
        case .notUnderstood(let name, let parameters):
            failure.sentence = "\(name) \(JSON.object(parameters).text)".plain
            failure.status = .failed
            failure.advice = advice(name, parameters) ?? failure.advice
        default: break
        }
        return failure
    }

    private static func advice(_ error: String, _ parameters: JSONObject) -> String? {
        if error == "org.varlink.service.ExpectedMore" { return "this method replies more than once: add --more" }
        guard error == "org.varlink.service.MethodNotFound", let method = parameters["method"]?.stringValue else { return nil }
        let name = String(method.parts(separator: ".").last ?? "")
        let meant = Suggestion.closest(to: name, among: Interface.Method.allCases.map(\.rawValue))
        return "no such method; " + (meant.map { "did you mean \($0)?" } ?? "list them with: man io.postern")
    }

    private static func object(from bytes: [UInt8]) throws -> JSONObject {
        do {
            if let object = try JSON(parsing: bytes).objectValue { return object }
        } catch {
            throw CommandFailure("the parameters are not a JSON object: \(error)", status: .wrongUsage)
        }
        throw CommandFailure("the parameters must be a JSON object, such as '{}'", status: .wrongUsage)
    }
}
