import Testing

@testable import ProgramOptions

/// Whether the shells take the scripts, and what they offer, is shown end to end.
@Suite("Completion scripts")
struct CompletionTests {
    @Test("A shell's script has each option that is not hidden", arguments: OptionTable.Shell.allCases)
    func options(shell: OptionTable.Shell) throws {
        let script = try #require(Example.text("--generate-completion-script", shell.rawValue))
        let sign = shell == .fish ? "-l " : "--"
        for name in Example.table.options.map(\.name) + ["version", "help"] {
            #expect(script.contains(sign + name) == (name != "secretly"), "\(name)")
        }
    }

    @Test("What a shell would read as its own is quoted")
    func quoting() {
        #expect(Example.table.completionScript(for: .zsh).contains(#"'--place[Where it keeps \[what it\] has\: a directory'\''s name.]:directory:_files -/'"#))
        #expect(Example.table.completionScript(for: .fish).contains(#"-d 'Where it keeps [what it] has: a directory\'s name.'"#))
    }

    @Test("An option that may be given again is offered again")
    func repeating() {
        let script = Example.table.completionScript(for: .zsh)
        #expect(script.contains("'*--listen[") && script.contains("'--config["))
    }

    @Test("A shell's function has a name that every shell takes")
    func function() {
        #expect(Example.table.completionScript(for: .bash).hasSuffix("complete -F _exam_ple exam-ple\n"))
    }
}
