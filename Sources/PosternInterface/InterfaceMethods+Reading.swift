import StrictJSON

extension InterfaceMethods {
    /// The parameters of a call. The standard error for what is wrong with them has room for a name alone.
    func read<Parameters: MethodParameters>(_ parameters: JSONObject) throws(InterfaceError) -> Parameters {
        do throws(JSONMemberError) { return try Parameters(object: parameters) } catch { throw .invalidParameter(error.path) }
    }
}
