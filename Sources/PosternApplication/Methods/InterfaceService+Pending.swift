import PosternCore
import PosternInterface

// To be replaced, each by what it says, before this reaches anybody.
extension InterfaceService {
    public func getIDToken(
        _ call: Interface.GetIDToken, caller: any CallingProcess
    ) async throws(InterfaceError) -> Interface.GetIDToken.Reply {
        throw .internalError(message: "GetIDToken is not there yet")
    }
}
