import Testing

@testable import TestDaemon
@testable import postern

@Suite("The form of a consent page")
struct HTMLFormTests {
    @Test("hidden fields, the first choice of each name and the first button are sent")
    func firstChoices() throws {
        let page = """
            <!doctype html><title>x</title><input name=outside value=1>
            <form method="post" action="/authorize/decision?a=1&amp;b=2"><!-- <input name=no> -->
            <input type="hidden" name="request" value="a &quot;b&quot; &#38; c"/>
            <button name="person" value="ada">Ada</button><button name='person' value='grace'>Grace</button>
            <INPUT TYPE=radio NAME=scope VALUE=all checked><input type=radio name=scope value=none><input type=submit value=Go></form><input name=after>
            """
        let form = try #require(HTMLForm(page: page))
        #expect(form.action == "/authorize/decision?a=1&b=2")
        #expect(form.method == "POST")
        #expect(String(decoding: form.firstChoices, as: UTF8.self) == "no=&request=a%20%22b%22%20%26%20c&person=ada&scope=all")
    }

    @Test("a page without a form has none", arguments: ["", "<p>text</p>", "<", "<form", "<form action='x", "</form>"])
    func none(page: String) {
        #expect(HTMLForm(page: page) == nil)
    }
}
