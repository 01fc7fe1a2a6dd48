/// The shells with completion.
package enum Shell: String, Sendable, CaseIterable {
    case bash
    case zsh
    case fish

    /// The script that makes the shell complete the program's words.
    ///
    /// The script calls the program for candidates, so that it stays small and never becomes outdated.
    ///
    /// - Parameters:
    ///   - program: The program's name.
    ///   - question: The subcommand that prints ``Offer/text`` for the typed words.
    package func script(for program: String, asking question: String) -> String {
        let function = "_" + program.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
        let script =
            switch self {
            case .bash: Self.bashScript
            case .zsh: Self.zshScript
            case .fish: Self.fishScript
            }
        return script.replacing("PROGRAM", with: program).replacing("FUNCTION", with: function)
            .replacing("QUESTION", with: question)
    }

    /// Bash ends words at `=` and `:` (COMP_WORDBREAKS) and replaces only the part after these; the program prints
    /// whole words.
    private static let bashScript = #"""
        # Completion for PROGRAM in bash. To use it, in ~/.bashrc:  source <(PROGRAM completions bash)
        FUNCTION() {
            local program=${1/#\~/$HOME} line=${COMP_LINE:0:COMP_POINT} words word head text summary
            read -r -a words <<<"$line"
            [[ $line == *[[:space:]] ]] && words+=("")
            word=${words[${#words[@]} - 1]}
            head=${word%"$2"}
            COMPREPLY=()
            while IFS=$'\t' read -r text summary; do
                case $text in
                    :files | :folders)
                        compopt -o filenames 2>/dev/null
                        [[ $text == :files ]] && summary=-f || summary=-d
                        while IFS= read -r text; do COMPREPLY+=("$text"); done < <(compgen "$summary" -- "$2")
                        ;;
                    *)
                        [[ $text == *= ]] && compopt -o nospace 2>/dev/null
                        COMPREPLY+=("${text#"$head"}")
                        ;;
                esac
            done < <("$program" QUESTION "${words[@]:1}" 2>/dev/null)
        }
        complete -F FUNCTION PROGRAM
        """#

    private static let zshScript = #"""
        #compdef PROGRAM
        # Completion for PROGRAM in zsh. To use it, in ~/.zshrc after compinit:  source <(PROGRAM completions zsh)
        FUNCTION() {
            local program=${words[1]/#\~/$HOME} line text
            local -a lines closed open
            lines=("${(@f)$("$program" QUESTION "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
            for line in $lines; do
                text=${line%%$'\t'*}
                [[ $text == :* ]] && continue
                [[ $line == *$'\t'* ]] && line="${text//:/\\:}:${line#*$'\t'}" || line=${text//:/\\:}
                if [[ $text == *= ]]; then open+=("$line"); else closed+=("$line"); fi
            done
            (( $#closed )) && _describe -V PROGRAM closed
            (( $#open )) && _describe -V PROGRAM open -S ''
            if (( $lines[(I):f*] )); then
                compset -P '*='
                if (( $lines[(I):folders] )); then _files -/; else _files; fi
            fi
        }
        if [[ $zsh_eval_context[-1] == loadautofunc ]]; then FUNCTION "$@"; else compdef FUNCTION PROGRAM; fi
        """#

    private static let fishScript = #"""
        # Completion for PROGRAM in fish. To use it:  PROGRAM completions fish > ~/.config/fish/completions/PROGRAM.fish
        function FUNCTION
            set -l words (commandline -opc)
            set -l word (commandline -ct)
            set -l program (string replace -r '^~' $HOME -- $words[1])
            for line in ($program QUESTION $words[2..-1] "$word" 2>/dev/null)
                switch $line
                    case :files :folders
                        set -l head (string match -r '^.*=' -- $word)
                        set -l path (string replace -r '^.*=' '' -- $word)
                        set -l search __fish_complete_path
                        test $line = :folders; and set search __fish_complete_directories
                        for file in ($search $path)
                            echo "$head$file"
                        end
                    case '*'
                        echo $line
                end
            end
        end
        complete -c PROGRAM -f -a '(FUNCTION)'
        """#
}
