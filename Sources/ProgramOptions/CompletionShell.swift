/// The shells that ask the program at TAB.
///
/// Their scripts only pass the words on and take the answer, so what is offered is decided in one place. They run the program that PATH
/// has: on the line may stand a path to another one, which pressing TAB must not run.
enum CompletionShell: String, CaseIterable {
    case bash, zsh, fish
}

extension OptionTable {
    func completionScript(for shell: CompletionShell) -> String {
        // Not every shell allows dashes in a function's name.
        let function = program.unicodeScalars.reduce(into: "_") { $0.unicodeScalars.append($1 == "-" ? "_" : $1) }
        let ask = "command \(program) \(CompletionRequest.word) \(shell.rawValue)"
        return switch shell {
        case .bash:
            """
            \(function)() {
                local word=${COMP_WORDS[COMP_CWORD]}
                local -a answer
                mapfile -t answer < <(\(ask) "$COMP_CWORD" "${COMP_LINE:0:COMP_POINT}" "${COMP_WORDS[@]}" 2>/dev/null)
                if [ "$word" = '=' ]; then word=''; fi
                COMPREPLY=()
                case ${answer[0]} in
                    words) COMPREPLY=("${answer[@]:1}") ;;
                    files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
                    directories) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
                esac
            }
            complete -F \(function) \(program)

            """
        case .zsh:
            """
            #compdef \(program)
            \(function)() {
                local -a answer offers
                local line
                answer=("${(@f)$(\(ask) $((CURRENT - 1)) "${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}" "${(@Q)words[CURRENT+1,-1]}" 2>/dev/null)}")
                case $answer[1] in
                    words)
                        for line in "${(@)answer[2,-1]}"; do
                            if [[ $line == *$'\\t'* ]]; then
                                offers+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}")
                            else
                                offers+=("${line//:/\\\\:}")
                            fi
                        done
                        _describe completions offers ;;
                    files) _files ;;
                    directories) _files -/ ;;
                esac
            }
            \(function) "$@"

            """
        case .fish:
            """
            function \(function)
                set -l current (commandline -ct)
                set -l words (commandline -opc)
                set -l answer (\(ask) (count $words) $words "$current" 2>/dev/null)
                switch "$answer[1]"
                    case words
                        if set -q answer[2]
                            printf '%s\\n' $answer[2..-1]
                        end
                    case files
                        __fish_complete_path "$current"
                    case directories
                        __fish_complete_directories "$current"
                end
            end
            complete -c \(program) -f -a '(\(function))'

            """
        }
    }
}
