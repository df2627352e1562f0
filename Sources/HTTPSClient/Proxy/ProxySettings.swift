import PosternCore

/// Which requests use a proxy.
struct ProxySettings: Sendable {
    /// Nil without one. One that was set and cannot be used is a failure: ignoring it would send requests directly that must use the proxy.
    private let proxy: Result<ProxyEndpoint?, ProxyProblem>
    private let exceptions: NoProxyList

    init(environment: [String: String]) {
        func first(_ names: [String]) -> (name: String, value: String)? {
            for name in names {
                if let value = environment[name]?.trimmed, !value.isEmpty { return (name, value) }
            }
            return nil
        }
        exceptions = NoProxyList(first(["no_proxy", "NO_PROXY"])?.value ?? "")
        if let setting = first(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]) {
            do throws(ProxyProblem) { proxy = .success(try ProxyEndpoint(setting.value)) } catch {
                proxy = .failure(ProxyProblem(description: "the setting \(setting.name) \(error)"))
            }
        } else {
            proxy = .success(nil)
        }
    }

    var isConfigured: Bool { if case .success(nil) = proxy { false } else { true } }

    var problem: String? { if case .failure(let problem) = proxy { problem.description } else { nil } }

    /// - Returns: nil for a request that is sent directly.
    func proxy(for url: EndpointURL) throws(ExchangeFailure) -> ProxyEndpoint? {
        // A proxy on another machine cannot reach this machine's own addresses, and plain http is sent nowhere else.
        if url.scheme == .http || IPAddress.isLoopback(url.host) || exceptions.contains(host: url.host, port: Int(url.port)) { return nil }
        do throws(ProxyProblem) { return try proxy.get() } catch { throw ExchangeFailure(.proxy, "is not asked: \(error)") }
    }
}

extension String {
    /// Without spaces and tabs at either end.
    fileprivate var trimmed: String {
        let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" }
        let scalars = skipping(isBlank).unicodeScalars
        return scalars.lastIndex { !isBlank($0) }.map { String(scalars[...$0]) } ?? ""
    }
}
