extension InterfaceError: CustomStringConvertible {
    /// The sentence for a person; safe for any log.
    public var description: String { message }
}
