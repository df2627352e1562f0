extension InterfaceError: CustomStringConvertible, CustomReflectable {
    /// The sentence for a person; safe for any log.
    public var description: String { message }

    /// The error and its sentence alone: what it carries may be a credential.
    public var customMirror: Mirror { Mirror(self, children: ["name": name, "message": message]) }
}
