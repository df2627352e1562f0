import PosternInterface
import Testing

@Suite("The methods of the interface")
struct MethodTests {
    @Test("a name leads to its method and back", arguments: Method.allCases)
    func name(method: Method) {
        #expect(Method(name: method.name) == method)
        #expect(method.name == "io.postern.\(method.rawValue)")
    }

    @Test(
        "other names lead nowhere",
        arguments: ["", "SignIn", "io.postern", "io.postern.", "io.posternSignIn", "org.varlink.service.GetInfo", "io.postern.signIn"])
    func otherName(name: String) {
        #expect(Method(name: name) == nil)
    }
}
