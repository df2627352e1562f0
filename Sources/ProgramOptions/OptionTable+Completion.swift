extension OptionTable {
    enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    func completionScript(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private var shown: [ProgramOption] { options.filter { !$0.isHidden } }
    /// Not every shell allows dashes in a function's name.
    private var function: String { "_" + program.replacingDashes }
    private var questions: [(option: String, help: String)] {
        (version == nil ? [] : [("--version", "Show the version.")]) + [("--help", "Show help information.")]
    }

    private var bash: String {
        let names = (shown.map { "--\($0.name)" } + questions.map(\.option)).joined(separator: " ")
        let values = shown.filter(\.takesValue).map { "        --\($0.name)) \($0.bash); return ;;\n" }.joined()
        return """
            \(function)() {
                local word=${COMP_WORDS[COMP_CWORD]}
                COMPREPLY=()
                case ${COMP_WORDS[COMP_CWORD - 1]} in
            \(values)    esac
                mapfile -t COMPREPLY < <(compgen -W '\(names)' -- "$word")
            }
            complete -F \(function) \(program)

            """
    }

    private var zsh: String {
        let specifications = shown.map(\.zsh) + questions.map { "'\($0.option)[\($0.help.zshQuoted)]'" }
        return """
            #compdef \(program)
            _arguments \\
                \(specifications.joined(separator: " \\\n    "))

            """
    }

    private var fish: String {
        let lines = shown.map { "complete -c \(program) -l \($0.name)\($0.fish) -d '\($0.help.fishQuoted)'" }
        let others = questions.map { "complete -c \(program) -l \($0.option.dropFirst(2)) -d '\($0.help.fishQuoted)'" }
        return (["complete -c \(program) -f"] + lines + others).map { $0 + "\n" }.joined()
    }
}

extension ProgramOption {
    fileprivate var bash: String {
        switch value {
        case .file: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
        case .directory: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\")"
        case .oneOf(let words): "mapfile -t COMPREPLY < <(compgen -W '\(words.joined(separator: " "))' -- \"$word\")"
        case .none, .text, .integer: ":"
        }
    }

    fileprivate var zsh: String {
        let words = help.zshQuoted
        // A star marks an option that may be repeated.
        let start = (isRepeating ? "'*--" : "'--") + "\(name)[\(words)]"
        let message = ":\(valueName.replacingColons):"
        return switch value {
        case .none: start + "'"
        case .file: start + message + "_files'"
        case .directory: start + message + "_files -/'"
        case .oneOf(let choices): start + message + "(\(choices.joined(separator: " ")))'"
        case .text, .integer: start + message + "'"
        }
    }

    fileprivate var fish: String {
        switch value {
        case .none: ""
        case .file: " -r -F"
        case .directory: " -x -a '(__fish_complete_directories)'"
        case .oneOf(let words): " -x -a '\(words.joined(separator: " "))'"
        case .text, .integer: " -x"
        }
    }
}

extension String {
    fileprivate var replacingDashes: String { unicodeScalars.reduce(into: "") { $0.unicodeScalars.append($1 == "-" ? "_" : $1) } }
    fileprivate var replacingColons: String { unicodeScalars.reduce(into: "") { $0.unicodeScalars.append($1 == ":" ? " " : $1) } }

    /// Within single quotes, and within the brackets of `_arguments`.
    fileprivate var zshQuoted: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "'": text += "'\\''"
            case "[", "]", "\\", ":": text += "\\\(scalar)"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    fileprivate var fishQuoted: String {
        unicodeScalars.reduce(into: "") { text, scalar in text += scalar == "'" || scalar == "\\" ? "\\\(scalar)" : String(scalar) }
    }
}
