import PosternClient
import Testing

@testable import TestDaemon
@testable import postern

@Suite("Kubernetes' exec credential")
struct KubectlHelperTests {
    static func info(_ version: String = "v1", _ spec: String = #"{"interactive":false}"#) -> [String: String] {
        ["KUBERNETES_EXEC_INFO": #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/\#(version)","spec":\#(spec)}"#]
    }

    private func run(_ arguments: [String], _ environment: [String: String] = info(), _ source: TestSource = TestSource()) -> HelperOutput {
        KubectlHelper.answer(HelperCall(arguments: arguments, bytes: [], environment: environment), source)
    }

    @Test("the answer is in the version of the request", arguments: ["v1", "v1beta1"])
    func token(version: String) {
        #expect(
            run(["work"], Self.info(version))
                == HelperOutput(
                    #"{"apiVersion":"client.authentication.k8s.io/\#(version)","kind":"ExecCredential","#
                        + #""status":{"token":"at-1","expirationTimestamp":"2026-01-01T00:00:00Z"}}"# + "\n"))
    }

    @Test("an unknown expiry is left out")
    func endless() {
        var token = HelperToken.sample
        token.expiry = nil
        #expect(!run(["work"], Self.info(), TestSource(.token(token))).text.contains("expirationTimestamp"))
    }

    @Test("tried out by hand it is the first version")
    func byHand() {
        #expect(run(["work"], [:]).text.contains("client.authentication.k8s.io/v1\""))
    }

    @Test("access token or ID token, with scopes")
    func request() {
        let source = TestSource()
        _ = run(["work"], Self.info(), source)
        _ = run(["--id-token", "work"], Self.info(), source)
        _ = run(["work", "--scope", "a", "--scope=b"], Self.info(), source)
        #expect(
            source.questions == [
                HelperRequest(subject: .name("work")), HelperRequest(subject: .name("work"), kind: .idToken),
                HelperRequest(subject: .name("work"), scopes: ["a", "b"]),
            ])
    }

    @Test(
        "a page may be opened where the configuration allows it and kubectl does not forbid it",
        arguments: [
            (["work"], #"{"interactive":true}"#, false), (["work", "--interactive"], #"{"interactive":true}"#, true),
            (["work", "--interactive"], #"{"interactive":false}"#, false), (["work", "--interactive"], "{}", true),
            (["work"], "{}", false),
        ])
    func interactive(arguments: [String], spec: String, mayOpen: Bool) {
        let source = TestSource()
        _ = run(arguments, Self.info("v1beta1", spec), source)
        #expect(source.questions.map(\.mayOpenPage) == [mayOpen])
    }

    @Test("the cluster that is named is where the token goes")
    func cluster() {
        let source = TestSource()
        let spec = #"{"cluster":{"server":"https://k.example:6443","certificate-authority-data":"x","config":null},"interactive":true}"#
        _ = run(["work"], Self.info("v1", spec), source)
        #expect(source.questions.map(\.subject) == [.name("work", destination: "https://k.example:6443")])
    }

    @Test(
        "a request that makes no sense gets no token, and nobody is asked",
        arguments: [
            "x", "[]", "{}", #"{"kind":"ExecCredential"}"#, #"{"kind":"Pod","apiVersion":"client.authentication.k8s.io/v1"}"#,
            #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1alpha1"}"#,
            #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v2"}"#,
            #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"cluster":{"server":"https://k.example","insecure-skip-tls-verify":true}}}"#,
            #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"cluster":{"server":"https://k.example","proxy-url":"http://127.0.0.1:9"}}}"#,
            #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"cluster":{}}}"#,
            #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"cluster":"https://k.example"}}"#,
            #"{"kind":"ExecCredential","kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"}"#,
            String(repeating: "a", count: 200_000),
        ])
    func hostile(info: String) {
        let source = TestSource()
        let output = run(["work"], ["KUBERNETES_EXEC_INFO": info], source)
        #expect(output.bytes.isEmpty && output.status == 1 && output.words != nil)
        #expect(source.questions.isEmpty)
    }

    @Test(
        "wrong usage is told", arguments: [[], ["a", "b"], ["--bogus", "a"], ["a", "--scope"], ["a", "--id-token", "--scope", "s"], ["a", "--id-token=yes"]] as [[String]])
    func usage(arguments: [String]) {
        let output = run(arguments)
        #expect(output.bytes.isEmpty && output.status == 64 && output.words != nil)
    }

    @Test("without a token standard output is empty, and the words say why", arguments: fruitless)
    func fruitlessAnswer(answer: HelperAnswer) {
        let output = run(["work"], Self.info(), TestSource(answer))
        #expect(output.bytes.isEmpty && output.status == answer.status.rawValue && output.status != 0)
        #expect(output.words?.count == 1)
    }
}
