import ArgumentParser

/// The completion scripts, with what the generated ones lack.
enum CompletionScript {
    /// Nil where the words ask for something else.
    static func script(asked arguments: [String]) -> String? {
        let option = "--generate-completion-script"
        switch arguments {
        case [option, "bash"], [option + "=bash"]: return withAliases(Postern.completionScript(for: .bash)) + "\n" + wholeWords
        case [option, "zsh"], [option + "=zsh"]: return withAliases(Postern.completionScript(for: .zsh))
        case [option, "fish"], [option + "=fish"]: return withFishAliases(Postern.completionScript(for: .fish))
        default: return nil
        }
    }

    /// The other names of commands, of which the generated scripts know nothing.
    static var aliases: [(alias: String, command: String)] {
        let configuration = Postern.configuration
        let commands = configuration.ungroupedSubcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
        return commands.flatMap { command in command.configuration.aliases.map { ($0, command._commandName) } }
    }

    /// Of bash and zsh: each name stands in a list of those that are completed further, by a function of that name.
    private static func withAliases(_ script: String) -> String {
        var script = script
        var functions = ""
        for (alias, command) in aliases {
            script = script.replacing("|\(command)|", with: "|\(command)|\(alias)|")
            functions += "_postern_\(alias)() {\n    _postern_\(command)\n}\n\n"
        }
        // The last line of zsh's calls the first function.
        guard let start = script.firstRange(of: "_postern_setup() {")?.lowerBound else { return script }
        script.insert(contentsOf: functions, at: start)
        return script
    }

    /// Of fish: the line is read as if the command's own name stood there.
    private static func withFishAliases(_ script: String) -> String {
        let tokens = "    set -l unparsed_tokens (__postern_tokens -pc)\n"
        let cases = aliases.map { "    case '\($0.alias)'\n        set unparsed_tokens[2] '\($0.command)'\n" }.joined()
        return script.replacing(tokens, with: tokens + "    switch \"$unparsed_tokens[2]\"\n\(cases)    end\n")
    }

    /// bash breaks a line at `=`, so that `--env NAME=ACCOUNT` is four words to it. The generated functions get two; of what they offer the
    /// part that bash replaces, which begins behind the `=`, goes back.
    private static let wholeWords = #"""
        _postern_whole_words() {
            local -a whole=()
            local -i index current=0
            local typed=''
            for ((index = 0; index < ${#COMP_WORDS[@]}; index++)); do
                local word="${COMP_WORDS[index]}" name="${COMP_WORDS[index - 1]}" value="${COMP_WORDS[index + 1]}"
                if ((index > 2)) && [[ "${COMP_WORDS[index - 2]}" = @(--env|--file) && "${word}" = '=' && "${COMP_LINE}" = *"${name}="* ]]; then
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
            local COMP_CWORD="${current}"
            _postern "${1}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            COMPREPLY=("${COMPREPLY[@]#"${typed}"}")
        }

        complete -o filenames -F _postern_whole_words postern
        """#
}
