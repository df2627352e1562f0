import TOML
import Testing

@Suite("Editing TOML")
struct EditTests {
    struct Change: Sendable {
        var before: String
        var key: String
        var value: String?
        var after: String?

        init(_ before: String, _ key: String, _ value: String?, _ after: String?) {
            (self.before, self.key, self.value, self.after) = (before, key, value, after)
        }
    }

    static let settings: [Change] = [
        // In place of the value that is there; all else stays.
        Change("# top\n[callback]\nport = 1   # mine\n\n[daemon]\n", "callback.port", "2", "# top\n[callback]\nport = 2   # mine\n\n[daemon]\n"),
        Change("a.b.c = 1\r\n", "a.b.c", "\"x\"", "a.b.c = \"x\"\r\n"),
        Change("a . \"b\" = '''\nx\n''' # end", "a.b", "3", "a . \"b\" = 3 # end"),
        Change("a = [\n  1, # one\n  2,\n]\nb = 1\n", "a", "[]", "a = []\nb = 1\n"),
        Change("'git hub.com'.x = 1", "\"git hub.com\".x", "2", "'git hub.com'.x = 2"),
        // Beside its neighbours.
        Change("[callback]\nport = 1\n\n# the daemon\n[daemon]\n", "callback.key", "\"k\"", "[callback]\nport = 1\nkey = \"k\"\n\n# the daemon\n[daemon]\n"),
        Change("[a]\r\nx = 1", "a.y", "2", "[a]\r\nx = 1\r\ny = 2\r\n"),
        Change("[a] # first\n", "a.y", "2", "[a] # first\ny = 2\n"),
        Change("[provider]\nwork.kind = \"oidc\"\n\n[z]\n", "provider.work.issuer", "\"i\"", "[provider]\nwork.kind = \"oidc\"\nwork.issuer = \"i\"\n\n[z]\n"),
        Change("p.a.x = 1\n[q]\n", "p.a.y", "2", "p.a.x = 1\np.a.y = 2\n[q]\n"),
        // Into inline tables.
        Change("s = { file = \"a\", b.c = 1 } # s", "s.b.c", "2", "s = { file = \"a\", b.c = 2 } # s"),
        Change("s = { a = 1 }", "s.b.c", "2", "s = { a = 1, b.c = 2 }"),
        Change("s = {}", "s.b", "2", "s = { b = 2 }"),
        Change("s = { t = { u = 1 } }", "s.t.v", "[2]", "s = { t = { u = 1, v = [2] } }"),
        Change("[x]\ns = { a = 1 }\n", "x.s", "{ b = 2 }", "[x]\ns = { b = 2 }\n"),
        // Below its own header.
        Change("", "provider.\"github.com\".client-id", "\"id\"", "[provider.\"github.com\"]\nclient-id = \"id\"\n"),
        Change("[a]\nx = 1", "b.y", "true", "[a]\nx = 1\n\n[b]\ny = true\n"),
        Change("# only a comment\r\n", "b.y", "1", "# only a comment\r\n\r\n[b]\r\ny = 1\r\n"),
        Change("[a.b]\nx = 1\n", "a.y", "1", "[a.b]\nx = 1\n\n[a]\ny = 1\n"),
        Change("[a]\nx = 1\n", "y", "1", "y = 1\n\n[a]\nx = 1\n"),
        Change("", "y", "1", "y = 1\n"),
        Change("x = 1\n[[t]]\nz = 1\n", "y", "2", "x = 1\ny = 2\n[[t]]\nz = 1\n"),
        // What is refused.
        Change("[a.b]\nx = 1\n", "a", "1", nil),
        Change("a = 1\n", "a.b", "1", nil),
        Change("a = [1]\n", "a.b", "1", nil),
        Change("[[t]]\nz = 1\n", "t.z", "2", nil),
        Change("[[t]]\n[t.u]\nz = 1\n", "t.u.y", "2", nil),
        Change("a = { b = { c = 1 } }", "a.b.c.d", "1", nil),
        Change("a = { b.c = 1 }", "a.b", "1", nil),
        Change("a = 1", "a", "1\nb = 2", nil),
        Change("a = 1", "a", "2 # no", nil),
        Change("a = 1", "a", "", nil),
        Change("a = 1", "a", "\"", nil),
    ]

    @Test("a key is set, and nothing else changes", arguments: settings)
    func set(_ change: Change) throws {
        var text = try TOMLText(Array(change.before.utf8))
        let path = try #require(TOMLText.path(change.key))
        do throws(TOMLEditError) {
            try text.set(path, to: change.value ?? "")
            #expect(String(decoding: text.bytes, as: UTF8.self) == change.after)
        } catch {
            #expect(change.after == nil, "\(error) for \(change)")
            #expect(text.bytes == Array(change.before.utf8))
        }
    }

    static let removals: [Change] = [
        Change("a = 1 # one\nb = 2\n", "a", nil, "b = 2\n"),
        Change("# a\n\n[s]\na = [\n 1,\n]\nb = 2", "s.a", nil, "# a\n\n[s]\nb = 2"),
        Change("s = { a = 1, b = 2, c = 3 }", "s.b", nil, "s = { a = 1, c = 3 }"),
        Change("s = { a = 1, b = 2, c = 3 }", "s.a", nil, "s = { b = 2, c = 3 }"),
        Change("s = { a = 1, b = 2, c = 3 }", "s.c", nil, "s = { a = 1, b = 2 }"),
        Change("s = { a.x = 1, a.y = 2, c = 3, a.z = 4 }", "s.a", nil, "s = { c = 3 }"),
        Change("s = { t = { u = 1, v = 2 }, w = 3 }", "s.t.u", nil, "s = { t = { v = 2 }, w = 3 }"),
        Change("x = 0\n[p.a]\ny = 1\n[p.a.b]\nz = 2 # z\n# of q\n[q]\n", "p.a", nil, "x = 0\n# of q\n[q]\n"),
        Change("p.a.x = 1\r\np.b = 2\r\np.a.y = 3\r\n", "p.a", nil, "p.b = 2\r\n"),
        // A header that nothing is left below goes, too, unless a comment speaks of it.
        Change("[a]\nx = 1\n\n[b]\ny = 2 # y\n\n# of c\n[c]\nz = 3\n", "b.y", nil, "[a]\nx = 1\n\n# of c\n[c]\nz = 3\n"),
        Change("[a]\nx = 1\n\n[b]\ny = 2\n", "b.y", nil, "[a]\nx = 1\n"),
        Change("[a]\r\nx = 1\r\n\r\n[b]\r\ny = 2\r\n\r\n", "b.y", nil, "[a]\r\nx = 1\r\n"),
        Change("[a]\nx = 1", "a.x", nil, ""),
        Change("[\"a#b\"]\nx = 1\n  [c]\ny = 1", "\"a#b\".x", nil, "  [c]\ny = 1"),
        Change("[a]\nx.y = 1\nx.z = 2\n[b]\n", "a.x", nil, "[b]\n"),
        Change("[a]\nx = 1\n[a.b]\ny = 2\n", "a.x", nil, "[a.b]\ny = 2\n"),
        Change("[a]\nx = 1\ny = 2\n", "a.y", nil, "[a]\nx = 1\n"),
        Change("# of a\n[a]\nx = 1\n", "a.x", nil, "# of a\n[a]\n"),
        Change("[a] # of a\nx = 1\n[b]\n", "a.x", nil, "[a] # of a\n[b]\n"),
        Change("[a]\n# x is one\nx = 1\n", "a.x", nil, "[a]\n# x is one\n"),
        Change("[a]\nx = 1\n# y = 2\n\n[b]\n", "a.x", nil, "[a]\n# y = 2\n\n[b]\n"),
        Change("a = 1\n", "b", nil, nil),
        Change("[[t]]\nz = 1\n", "t.z", nil, nil),
        Change("x = 1\n[[t]]\nz = 1\n[[t]]\nz = 2\n", "t", nil, "x = 1\n"),
    ]

    @Test("a key is taken out, and nothing else changes", arguments: removals)
    func unset(_ change: Change) throws {
        var text = try TOMLText(Array(change.before.utf8))
        let path = try #require(TOMLText.path(change.key))
        let isDone = (try? text.unset(path)) ?? false
        #expect(isDone == (change.after != nil))
        #expect(String(decoding: text.bytes, as: UTF8.self) == change.after ?? change.before)
    }

    static let renamings: [Change] = [
        Change("# of a\n[p.a] # first\nx = 1 # one\n\n[p.b]\ny = 2\n", "p.a", "c", "# of a\n[p.c] # first\nx = 1 # one\n\n[p.b]\ny = 2\n"),
        Change("[p.a]\r\nx = 1\r\n[ p . a . t ]\r\ny = 2\r\n", "p.a", "c", "[p.c]\r\nx = 1\r\n[ p.c.t ]\r\ny = 2\r\n"),
        Change("[p.\"a.b\"]\nx = 1", "p.\"a.b\"", "c", "[p.c]\nx = 1"), Change("[p.a]\nx = 1", "p.a", "c.d", "[p.\"c.d\"]\nx = 1"),
        Change("p.a.x = 1\np.b.x = 2\np.a.y=3", "p.a", "c", "p.c.x = 1\np.b.x = 2\np.c.y=3"),
        Change("[p]\na.x = 1\nb = { x = 2 }\n", "p.a", "c", "[p]\nc.x = 1\nb = { x = 2 }\n"),
        Change("p = { a = { x = 1 }, b = 2, a2 = 3 }", "p.a", "c", "p = { c = { x = 1 }, b = 2, a2 = 3 }"),
        Change("[p.a]\nx = 1\n[p.c]\nx = 2\n", "p.a", "c", nil), Change("[p.b]\nx = 1\n", "p.a", "c", nil),
        Change("[[p.a]]\nx = 1\n", "p.a", "c", nil),
    ]

    @Test("a table gets another name, with its place and its comments, unless another table has it", arguments: renamings)
    func rename(_ change: Change) throws {
        var text = try TOMLText(Array(change.before.utf8))
        let path = try #require(TOMLText.path(change.key))
        let isDone = (try? text.rename(path, to: change.value ?? "")) ?? false
        #expect(isDone == (change.after != nil))
        #expect(String(decoding: text.bytes, as: UTF8.self) == change.after ?? change.before)
    }

    @Test("a string comes back from its text, whatever is in it", arguments: ["", "a\"b\\c", "é\u{1F600}", "\u{1}\n\t\r\u{7F}", "# no comment"])
    func quoted(_ text: String) throws {
        guard case .string(let read)? = TOMLText.value(TOMLText.quoted(text))?.content else {
            Issue.record("not read")
            return
        }
        #expect(read == text)
        #expect(TOMLText.path(TOMLText.key(text)) == [text])
    }

    @Test("an invalid path is refused", arguments: ["", ".", "a.", ".a", "a b", "a=1", "\"a", "[a]", "a\n", "é"])
    func paths(_ text: String) { #expect(TOMLText.path(text) == nil) }

    /// The document must be read as before but for that key; ``TOMLText`` itself checks that, so what is looked at here is that it never traps
    /// and nearly always finds a way.
    @Test("damaged documents are edited or refused, and never anything else")
    func damagedDocuments() {
        var random = SplitMix(state: 7)
        let pieces = MutationTests.fragments
        var done = 0
        var taken = 0
        for _ in 0..<20_000 {
            var document: [UInt8] = []
            for _ in 0..<Int.random(in: 1...8, using: &random) { document += Array(pieces[Int.random(in: 0..<pieces.count, using: &random)].utf8) }
            guard var text = try? TOMLText(document) else { continue }
            taken += 1
            for path in [["a"], ["a", "b"], ["b", "c", "d"], ["x y", "z"]] {
                if (try? text.set(path, to: "5")) != nil { done += 1 }
                _ = try? text.rename(path, to: "r")
                _ = try? text.unset(path)
            }
        }
        #expect(taken > 100 && done > taken)
    }
}
