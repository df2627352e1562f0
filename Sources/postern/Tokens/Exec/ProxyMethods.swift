import PosternValues

/// The list of `--methods`.
enum ProxyMethods {
    static let usual = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    private static let mostMethods = 32

    static func list(_ text: String) -> [String] { text.parts(separator: ",").map { $0.uppercased() } }

    static func problem(_ text: String) -> String? {
        let methods = list(text)
        guard (1...mostMethods).contains(methods.count),
            methods.allSatisfy({ $0.utf8.allSatisfy(\.isTokenCharacter) && $0.utf8.count <= 32 })
        else { return "write the methods with commas between them, such as GET,HEAD" }
        guard let never = methods.first(where: { ["CONNECT", "TRACE"].contains($0) }) else { return nil }
        return "\(never) is never passed on; leave it out"
    }
}
