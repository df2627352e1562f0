import PosternConfiguration

import struct PosternCore.ProviderRegistration

/// What is to go into a provider's section of the configuration.
struct ClientDraft {
    let target: SetupTarget
    let text: ConfigurationText
    /// The section as it is.
    private let old: [ConfigurationText.Entry]
    private(set) var values: [(path: [String], value: ConfigurationValue)] = []
    private(set) var secrets: [(PlacedSecret, String)] = []
    private(set) var removed: [[String]] = []
    /// The client has another ID than before. The secret of another client cannot be kept.
    private(set) var isOtherClient = false

    init(of target: SetupTarget, in text: ConfigurationText) throws(ConfigurationError) {
        self.target = target
        self.text = text
        old = try text.entries(at: ["provider", target.id])
    }

    /// Whether the section has it now.
    func has(_ key: String) -> Bool { old.contains { text.path($0.key) == path(key) } }

    /// Its text now.
    func present(_ key: String) -> String? { old.first { text.path($0.key) == path(key) }?.text }

    /// Whether the section names a client now.
    var hasClient: Bool { fields.contains { ProviderRegistration.Field.isID($0.key) && has($0.key) } }

    var isEmpty: Bool { values.isEmpty && removed.isEmpty }

    var directory: String { ReplacedFile.directory(of: text.mainFile) }
    /// The file that is to have the section.
    var place: String { text.userFile(with: ["provider", target.id]) ?? "\(directory)/config.d/\(target.id).toml" }
    var fields: [ProviderRegistration.Field] { ProviderRegistration.fields(of: target.id, target.kind) }

    private func path(_ key: String) -> [String] { ["provider", target.id, key] }

    mutating func put(_ key: String, _ value: ConfigurationValue) { values.append((path(key), value)) }

    mutating func put(text value: String, for key: String) {
        // What is in another's file is not enough: a package's client counts only where the user's section names none of it.
        guard present(key) != value || text.userFile(with: path(key)) == nil else { return }
        put(key, .text(value))
        if ProviderRegistration.Field.isID(key), let before = present(key), before != value { isOtherClient = true }
    }

    mutating func put(_ secret: String, in placed: PlacedSecret) throws {
        put(placed.key, try placed.value())
        secrets.append((placed, secret))
        let isByCode = old.contains { text.path($0.key) == path("flow") && $0.text == "device" }
        if isByCode { put("flow", .text("browser")) }
    }

    /// There is no secret, and none that is kept.
    mutating func putNoSecret(for key: String) {
        if has(key) { removed.append(path(key)) }
        if let flow = ProviderRegistration.of(target.id, target.kind)?.flowWithoutSecret { put(text: flow.rawValue, for: "flow") }
    }

    /// For providers where Postern needs no secret, a person may have configured one.
    mutating func removeUnaskedSecret() {
        guard isOtherClient, has("client-secret"), !fields.contains(where: { $0.key == "client-secret" }) else { return }
        removed.append(path("client-secret"))
    }
}
