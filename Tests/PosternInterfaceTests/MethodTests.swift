import PosternInterface
import Testing

@Suite("The methods of the interface")
struct MethodTests {
    @Test("a name leads to its method and back", arguments: Interface.Method.allCases)
    func name(method: Interface.Method) {
        #expect(Interface.Method(name: method.name) == method)
        #expect(method.name == "io.postern.\(method.rawValue)")
    }

    @Test(
        "other names lead nowhere",
        arguments: ["", "SignIn", "io.postern", "io.postern.", "io.posternSignIn", "org.varlink.service.GetInfo", "io.postern.signIn"])
    func otherName(name: String) {
        #expect(Interface.Method(name: name) == nil)
    }
}
