/// An interface that a service has.
public struct VarlinkInterface: Sendable {
    public let name: String
    /// In Varlink's interface definition language.
    public let description: String
    let methods: [String]?

    /// - Parameter methods: without the interface's name, if the program knows them: parsing a long description delays a service's start,
    ///   and so its first caller. By default those of the description.
    public init(name: String, description: String, methods: [String]? = nil) {
        self.name = name
        self.description = description
        self.methods = methods
    }
}
