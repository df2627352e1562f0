/// An interface that a service has.
public struct VarlinkInterface: Sendable {
    public let name: String
    /// In Varlink's interface definition language.
    public let description: String
    let methods: [String]?

    /// - Parameter methods: without the interface's name, where the program knows them: reading a long description takes a part of a
    ///   service's start that its first caller feels. Those of the description where nothing is said.
    public init(name: String, description: String, methods: [String]? = nil) {
        self.name = name
        self.description = description
        self.methods = methods
    }
}
