import ArgumentParser

/// The completion script for bash, with what the generated one lacks.
enum BashCompletion {
    /// Nil where the words ask for something else.
    static func script(asked arguments: [String]) -> String? {
        let option = "--generate-completion-script"
        guard arguments == [option, "bash"] || arguments == [option + "=bash"] else { return nil }
        return Postern.completionScript(for: .bash) + "\n" + wholeWords
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
