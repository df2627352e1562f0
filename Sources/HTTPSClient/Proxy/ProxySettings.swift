import PosternCore

/// Which requests use a proxy.
struct ProxySettings: Sendable {
    enum Route {
        case direct
        case proxy(ProxyEndpoint)
    }

    private enum Proxy {
        case none
        case usable(ProxyEndpoint)
        /// It was set, but cannot be used. Ignoring it would send requests directly that must use the proxy.
        case unusable(String)
    }

    private let proxy: Proxy
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
            do throws(ProxyProblem) {
                proxy = .usable(try ProxyEndpoint(setting.value))
            } catch {
                proxy = .unusable("the setting \(setting.name) \(error)")
            }
        } else {
            proxy = .none
        }
    }

    var problem: String? { if case .unusable(let reason) = proxy { reason } else { nil } }

    func route(to url: EndpointURL) -> Result<Route, ExchangeFailure> {
        // A proxy on another machine cannot reach this machine's own addresses, and plain http is sent nowhere else.
        if url.scheme == .http || IPAddress.isLoopback(url.host) || exceptions.contains(host: url.host, port: Int(url.port)) {
            return .success(.direct)
        }
        switch proxy {
        case .none: return .success(.direct)
        case .usable(let endpoint): return .success(.proxy(endpoint))
        case .unusable(let reason): return .failure(ExchangeFailure(.proxy, "is not asked: \(reason)"))
        }
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
