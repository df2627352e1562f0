/// Looks for a document of a stranger's server at one place after the other, by MCP's rules.
///
/// Who is asked is named by documents that anybody can write. So every URL on the way, each redirect's too, must be one that the server of
/// the resource may name (``EndpointURL/init(_:namedBy:)``), the address that it resolves to must be public unless the server's own is not,
/// and the answer is bounded.
struct DocumentSearch: Sendable {
    enum Step: Sendable {
        case ask(ProviderRequest)
        case found([UInt8], at: EndpointURL)
        /// At none of the places.
        case absent
        case failed(DocumentSearchError)
    }

    static let mostBytes = 64 * 1024
    static let longestSeconds = 10
    static let mostRedirects = 3

    private let resource: EndpointURL
    /// A host that the configuration names.
    private let chosenHost: String?
    private var current: EndpointURL
    private var further: ArraySlice<EndpointURL>
    private var redirects: Int
    /// The places that have no such document, with their statuses.
    private(set) var missing: [MissingDocument] = []

    /// - Parameters:
    ///   - places: at least one.
    ///   - resource: the URL of the server whose documents they are.
    ///   - chosenHost: may have any address.
    ///   - redirects: those that were followed before.
    init(_ places: [EndpointURL], of resource: EndpointURL, chosenHost: String? = nil, redirects: Int = 0) {
        self.resource = resource
        self.chosenHost = chosenHost
        self.redirects = redirects
        current = places.first ?? resource
        further = places.dropFirst()
    }

    var request: ProviderRequest {
        var request = ProviderRequest(url: current.text, headers: [("Accept", "application/json")]).bounded(for: resource)
        if current.host == chosenHost { request.addresses = .any }
        return request
    }

    mutating func answered(_ response: ProviderResponse, now: Timestamp) -> Step {
        if let failure = TransientFailure(response, now: now) { return .failed(.transient(failure, at: current.text)) }
        switch response.status {
        case 200:
            guard response.body.count <= Self.mostBytes else { return .failed(.tooLarge(limit: Self.mostBytes, at: current.text)) }
            return .found(response.body, at: current)
        case 301, 302, 303, 307, 308:
            guard redirects < Self.mostRedirects else { return .failed(.tooManyRedirects(at: current.text)) }
            // Who is chosen may name what it likes.
            let namer = current.host == chosenHost ? current : resource
            do throws(DocumentSearchError) { current = try response.redirect(from: current, namedBy: namer) } catch {
                return .failed(error)
            }
            redirects += 1
            return .ask(request)
        case 400..<500:
            missing.append(MissingDocument(url: current.text, status: response.status))
            guard let next = further.popFirst() else { return .absent }
            current = next
            return .ask(request)
        default: return .failed(.refused(status: response.status, at: current.text))
        }
    }
}

/// A place where a document could be, and is not.
public struct MissingDocument: Sendable, Hashable {
    public var url: String
    public var status: Int
}

/// Why a search for a document was given up. The sentences are for the server's author.
public enum DocumentSearchError: Error, Sendable, Hashable, CustomStringConvertible {
    case transient(TransientFailure, at: String)
    case refused(status: Int, at: String)
    case tooLarge(limit: Int, at: String)
    case tooManyRedirects(at: String)
    /// The target is cleaned for display.
    case redirectInvalid(to: String, EndpointURLError, at: String)
    case redirectWithoutTarget(at: String)

    public var description: String {
        switch self {
        case .transient(let failure, let url): "\(url) could not be read: \(failure)"
        case .refused(let status, let url): "\(url) answered with status \(status); it must be 200, or 404 where there is no such document"
        case .tooLarge(let limit, let url): "the document at \(url) is larger than \(limit) bytes"
        case .tooManyRedirects(let url): "\(url) redirects again, after \(DocumentSearch.mostRedirects) redirects; answer there directly"
        case .redirectInvalid(let target, let error, let url): "\(url) redirects to \(target), which is not followed: the URL \(error)"
        case .redirectWithoutTarget(let url): "\(url) redirects without a Location that is an absolute URL or a path from the root"
        }
    }
}

extension ProviderRequest {
    /// The limits of every request to a server that a stranger named.
    func bounded(for resource: EndpointURL) -> ProviderRequest {
        var request = self
        request.headers.append(("MCP-Protocol-Version", MCPServer.protocolVersion))
        request.addresses = .publicUnless(host: resource.host)
        request.mostBodyBytes = DocumentSearch.mostBytes
        request.longestSeconds = DocumentSearch.longestSeconds
        return request
    }
}

extension ProviderResponse {
    /// The absolute URL of a redirect, unchecked; nil if there is none, or it is relative to the path.
    func redirect(from url: EndpointURL) -> String? {
        guard let location = header("Location") else { return nil }
        if location.begins(with: "/"), !location.begins(with: "//") { return url.origin + location }
        return URIParts(location).scheme == nil ? nil : location
    }

    func redirect(from url: EndpointURL, namedBy resource: EndpointURL) throws(DocumentSearchError) -> EndpointURL {
        guard let target = redirect(from: url) else { throw .redirectWithoutTarget(at: url.text) }
        do throws(EndpointURLError) { return try EndpointURL(target, namedBy: resource) } catch {
            throw .redirectInvalid(to: ProviderText.shown(target), error, at: url.text)
        }
    }
}

extension EndpointURL {
    /// A URL that a server's answers or documents name: on this machine only if the server is here itself.
    init(_ text: String, namedBy resource: EndpointURL) throws(EndpointURLError) {
        try self.init(text)
        guard !LoopbackHost.isMeant(by: host) || LoopbackHost.isMeant(by: resource.host) else { throw .thisMachine(host: host) }
    }
}

extension ProviderText {
    /// A value of a stranger's, in a sentence.
    public static func shown(_ value: String) -> String { cleaned(value, longest: longestName) ?? "nothing" }
}
