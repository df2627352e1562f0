import ArgumentParser

/// The completion scripts, with additions to the generated ones.
enum CompletionScript {
    /// Nil if the words request something else.
    static func script(asked arguments: [String]) -> String? {
        let option = "--generate-completion-script"
        switch arguments {
        case [option, "bash"], [option + "=bash"]: return withAliases(Postern.completionScript(for: .bash)) + "\n" + wholeWords
        case [option, "zsh"], [option + "=zsh"]: return withAliases(Postern.completionScript(for: .zsh))
        case [option, "fish"], [option + "=fish"]: return withFishAliases(Postern.completionScript(for: .fish))
        default: return nil
        }
    }

    /// The aliases of commands, which the generated scripts do not know.
    static var aliases: [(alias: String, command: String)] {
        let configuration = Postern.configuration
        let commands = configuration.ungroupedSubcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
        return commands.flatMap { command in command.configuration.aliases.map { ($0, command._commandName) } }
    }

    /// For bash and zsh: adds each alias to a list of names that are completed further, by a function of that name.
    private static func withAliases(_ script: String) -> String {
        var script = script
        var functions = ""
        for (alias, command) in aliases {
            script = script.replacingAll("|\(command)|", with: "|\(command)|\(alias)|")
            functions += "_postern_\(alias)() {\n    _postern_\(command)\n}\n\n"
        }
        // The last line of zsh's script calls the first function.
        guard let start = script.range(ofText: "_postern_setup() {")?.lowerBound else { return script }
        script.insert(contentsOf: functions, at: start)
        return script
    }

    /// For fish: the line is read as if it contained the command's own name.
    private static func withFishAliases(_ script: String) -> String {
        let tokens = "    set -l unparsed_tokens (__postern_tokens -pc)\n"
        let cases = aliases.map { "    case '\($0.alias)'\n        set unparsed_tokens[2] '\($0.command)'\n" }.joined()
        return script.replacingAll(tokens, with: tokens + "    switch \"$unparsed_tokens[2]\"\n\(cases)    end\n")
    }

    /// bash splits a line at `=`, so that `--env NAME=ACCOUNT` is four words to it. The generated functions get two; of their suggestions
    /// only the part that bash replaces is returned, which begins after the `=`. An option and its value with a `=` between them become two
    /// words, too.
    private static let wholeWords = #"""
        _postern_whole_words() {
            local -a whole=()
            local -i index current=0
            local typed='' line="${COMP_LINE}"
            for ((index = 0; index < ${#COMP_WORDS[@]}; index++)); do
                local word="${COMP_WORDS[index]}" name="${COMP_WORDS[index - 1]}" value="${COMP_WORDS[index + 1]}"
                if ((index > 1)) && [[ "${name}" = --?* && "${word}" = '=' && "${line}" = *"${name}="* ]]; then
                    line="${line/"${name}="/"${name} "}"
                    if ((index != COMP_CWORD)); then continue; fi
                    word=''
                elif ((index > 2)) && [[ "${COMP_WORDS[index - 2]}" = @(--env|--file) && "${word}" = '=' && "${COMP_LINE}" = *"${name}="* ]]; then
                    word="${name}="
                    unset "whole[$((${#whole[@]} - 1))]"
                    if ((index == COMP_CWORD)); then
                        typed="${word}"
                    elif [[ -n "${value}" && "${COMP_LINE}" = *"${word}${value}"* ]]; then
                        index+=1
                        if ((index == COMP_CWORD)); then typed="${word}"; fi
                        word+="${value}"
                    fi
                fi
                whole+=("${word}")
                if ((index <= COMP_CWORD)); then current=$((${#whole[@]} - 1)); fi
            done
            local -a COMP_WORDS=("${whole[@]}")
            local COMP_CWORD="${current}" COMP_LINE="${line}"
            _postern "${1}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            COMPREPLY=("${COMPREPLY[@]#"${typed}"}")
        }

        complete -o filenames -F _postern_whole_words postern
        """#
}
