/// The page for answers in the URL's fragment, which browsers do not send: a script posts it to the handler.
///
/// The parameters are passed on unchanged, including repeated ones, so that the handler judges them. The form is posted by navigation, so
/// the browser follows the handler's answer to the result page, and the fragment disappears from the address.
enum FragmentPage {
    /// The fields are added to the form all at once: a field may have the name of a method of the form.
    static let script = HTML(
        trusted: """

            (function () {
              function show(id) {
                document.getElementById("needs-script").hidden = true;
                document.getElementById(id).hidden = false;
                document.title = document.querySelector("#" + id + " h1").textContent + " · Postern";
              }
              var fragment = location.hash.slice(1);
              if (!fragment) return show("empty");
              show("working");
              history.replaceState(null, "", location.pathname);
              var fields = document.createDocumentFragment();
              new URLSearchParams(fragment).forEach(function (value, name) {
                var field = document.createElement("input");
                field.type = "hidden";
                field.name = name;
                field.value = value;
                fields.appendChild(field);
              });
              var form = document.createElement("form");
              form.method = "post";
              form.action = location.pathname;
              document.body.appendChild(form).appendChild(fields);
              HTMLFormElement.prototype.submit.call(form);
            })();

            """)

    /// SHA-256 of the script in base64, as in the Content Security Policy. A test compares it with the script.
    static let hash = "cDv6h3D2EV09V/ce9ykDKpkCopM1u1euZ0QZTO583kE="
}

extension Page {
    /// Without scripts it says what to do; with them it shows that it is working, or that no answer arrived.
    static func fragment(strings: any PageStrings) -> Page {
        let needsScript = PageSection(
            mark: .bad, heading: strings.fragmentNeedsScriptHeading, message: "\(strings.fragmentNeedsScript)", announcement: .alert)
        let working = PageSection(mark: .turning, heading: strings.fragmentHeading, message: "\(strings.fragmentExplanation)")
        let empty = PageSection(mark: .plain, heading: strings.fragmentEmptyHeading, message: "\(strings.fragmentEmptyExplanation)")
        var page = Page(
            // The script names the section that it shows.
            status: 200, strings: strings, title: needsScript.heading,
            content: """
                <section id="needs-script">
                \(needsScript.html)</section>
                <section id="working" hidden>
                \(working.html)</section>
                <section id="empty" hidden>
                \(empty.html)</section>
                <script>\(FragmentPage.script)</script>

                """)
        page.policy = ContentSecurityPolicy(scriptHash: FragmentPage.hash, postsForm: true)
        return page
    }
}
