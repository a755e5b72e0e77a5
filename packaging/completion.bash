# Completion for bash: commands and options as the program itself lists them, else files.
_moreau() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=
  local i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} != -* ]] && { command=${COMP_WORDS[i]}; break; }
  done
  if [[ -z $command && $word != -* ]]; then
    COMPREPLY=($(compgen -W "$("$1" --help 2>/dev/null | sed -n '/^Subcommands:/,$s/^  \([a-z][a-z-]*\) .*/\1/p')" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$("$1" $command --help 2>/dev/null | grep -o -- '^  -[^ ]*' | tr ',' '\n' | tr -d ' ')" -- "$word"))
  elif [[ $command == reproduce && $before == reproduce ]]; then
    COMPREPLY=($(compgen -W "$("$1" reproduce 2>/dev/null | sed -n 's/^  \([a-z-]*\) .*/\1/p')" -- "$word"))
  else
    compopt -o filenames
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -F _moreau moreau
