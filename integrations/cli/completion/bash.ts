import type { CompletedVerb, Values } from './words.js';

/** Writes the completion script for bash: `eval "$(rsi completion bash)"`. */
export function bashScript(verbs: readonly CompletedVerb[]): string {
  const names = verbs.flatMap((verb) => verb.names);
  return `# Completion of rsi for bash. In ~/.bashrc: eval "$(rsi completion bash)"
_rsi() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" verb='' word i
  local -a store
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ $word == --store ]]; then store=(--store "\${COMP_WORDS[i+1]}"); fi
    if [[ -z $verb && $word != -* ]]; then verb="$word"; fi
  done
  _rsi_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
  _rsi_stored() { _rsi_words "$("\${COMP_WORDS[0]}" completion --list "$1" "\${store[@]}" 2>/dev/null)"; }
  _rsi_files() { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); }
  _rsi_folders() { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); }
  case "$verb $prev" in
${verbs.flatMap(valueCases).join('\n')}
  esac
  case "$verb" in
    '') _rsi_words '${[...names, 'help', '--help', '--version'].join(' ')}' ;;
    help) _rsi_words '${names.join(' ')}' ;;
${verbs.map(verbCase).join('\n')}
  esac
}
complete -F _rsi rsi rsi-loop
`;
}

/** Writes the cases for the value after an option. */
function valueCases({ names, options }: CompletedVerb): string[] {
  return options.flatMap(({ long, values }) => {
    if (!values) return [];
    const places = names.map((name) => `'${name} ${long}'`).join(' | ');
    return [`    ${places}) ${actionFor(values)}; return ;;`];
  });
}

function verbCase({ names, options, argument }: CompletedVerb): string {
  const flags = `_rsi_words '${options.map(({ long }) => long).join(' ')}'`;
  const values = argument === undefined ? flags : `if [[ $cur == -* ]]; then ${flags}; else ${actionFor(argument)}; fi`;
  return `    ${names.join(' | ')}) ${values} ;;`;
}

function actionFor(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `_rsi_words '${values.words.join(' ')}'`;
    case 'files':
      return '_rsi_files';
    case 'folders':
      return '_rsi_folders';
    case 'stored':
      return `_rsi_stored ${values.list}`;
    case 'anything':
      return ':';
    default:
      return values satisfies never;
  }
}
