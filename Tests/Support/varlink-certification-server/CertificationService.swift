import StrictJSON
import Synchronization
import Varlink
import VarlinkServer

/// The server's part of the Varlink certification: each call must bring exactly what the reply before it gave.
final class CertificationService: VarlinkService {
    let interfaces = [VarlinkInterface(name: CertificationInterface.name, description: CertificationInterface.description)]

    /// The method that each client has to call next.
    private let nextMethods = Mutex<[String: String]>([:])

    func handle(_ call: VarlinkCall, from peer: VarlinkPeer, reply: VarlinkReplyHandle) {
        let method = String(call.method.dropFirst(CertificationInterface.name.count + 1))
        do throws(VarlinkError) {
            let client = method == "Start" ? try start(call, peer) : try client(of: call)
            try advance(client, calling: method)
            try check(call, against: CertificationInterface.expectedCall(of: method, from: client))
            answer(method, client, reply)
        } catch { reply.fail(error) }
    }

    private func start(_ call: VarlinkCall, _ peer: VarlinkPeer) throws(VarlinkError) -> String {
        let client = String(UInt64.random(in: .min ... .max), radix: 16)
        nextMethods.withLock { $0[client] = "Start" }
        return client
    }

    private func client(of call: VarlinkCall) throws(VarlinkError) -> String {
        guard let client = call.parameters["client_id"]?.stringValue, nextMethods.withLock({ $0[client] != nil }) else {
            throw VarlinkError(name: "\(CertificationInterface.name).ClientIdError")
        }
        return client
    }

    private func advance(_ client: String, calling method: String) throws(VarlinkError) {
        let order = CertificationInterface.order
        let expected = nextMethods.withLock { methods in
            let expected = methods[client]
            if expected == method, let place = order.firstIndex(of: method) {
                methods[client] = place + 1 < order.count ? order[place + 1] : nil
            }
            return expected
        }
        guard expected == method else {
            throw CertificationInterface.error(wants: ["method": .string(expected ?? "")], got: ["method": .string(method)])
        }
    }

    private func check(_ call: VarlinkCall, against expected: VarlinkCall) throws(VarlinkError) {
        guard call.more == expected.more, call.oneway == expected.oneway,
            JSON.object(call.parameters).means(.object(expected.parameters))
        else {
            throw CertificationInterface.error(wants: expected.parameters, got: call.parameters)
        }
    }

    private func answer(_ method: String, _ client: String, _ reply: VarlinkReplyHandle) {
        switch method {
        case "Start": reply.send(["client_id": .string(client)])
        case "Test10":
            let replies = CertificationInterface.moreReplies
            for (index, text) in replies.enumerated() {
                reply.send(["string": .string(text)], continues: index + 1 < replies.count)
            }
        case "Test11": reply.send([:])
        case "End": reply.send(["all_ok": true])
        default: reply.send(CertificationInterface.replies[method] ?? [:])
        }
    }
}

extension JSON {
    /// Equal as values: `1` and `1.0` are one number, and a member that is null may be missing.
    fileprivate func means(_ other: JSON) -> Bool {
        switch (self, other) {
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.means($1) }
        case (.object(let left), .object(let right)):
            return (left.keys + right.keys).allSatisfy { (left[$0] ?? .null).means(right[$0] ?? .null) }
        default:
            if let left = doubleValue, let right = other.doubleValue { return left == right }
            return self == other
        }
    }
}
