#compdef moreau
# Completion for zsh: commands and options as the program itself lists them, else files.
local -a commands options names
if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
  commands=(${(f)"$(moreau --help 2>/dev/null | sed -n '/^Subcommands:/,$s/^  \([a-z][a-z-]*\)  *\(.*\)/\1:\2/p')"})
  _describe command commands
elif [[ $words[CURRENT] == -* ]]; then
  options=(${(f)"$(moreau $words[2] --help 2>/dev/null | grep -o -- '^  -[^ ]*' | tr ',' '\n' | tr -d ' ')"})
  compadd -a options
elif [[ $words[2] == reproduce ]] && (( CURRENT == 3 )); then
  names=(${(f)"$(moreau reproduce 2>/dev/null | sed -n 's/^  \([a-z-]*\) .*/\1/p')"})
  compadd -a names
else
  _files
fi
