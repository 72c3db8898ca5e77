import type { CompletedOption, CompletedVerb, Values } from './words.js';

/** Writes the completion script for fish: `rsi completion fish | source`. */
export function fishScript(verbs: readonly CompletedVerb[]): string {
  const lines = [
    '# Completion of rsi for fish. In ~/.config/fish/config.fish: rsi completion fish | source',
    'complete -c rsi -f',
    ...verbs.flatMap(linesOf),
  ];
  return `${lines.join('\n')}\n`;
}

function linesOf({ names, about, options, argument }: CompletedVerb): string[] {
  const after = `-n '__fish_seen_subcommand_from ${names.join(' ')}'`;
  const values = argument && valuesFor(argument);
  return [
    `complete -c rsi -n __fish_use_subcommand -a '${names.join(' ')}' -d ${quoted(about)}`,
    ...(values ? [`complete -c rsi ${after} ${values}`] : []),
    ...options.map((option) => `complete -c rsi ${after} ${optionOf(option)}`),
  ];
}

function optionOf({ long, about, values }: CompletedOption): string {
  const value = values === undefined ? '' : ` -r ${valuesFor(values)}`;
  return `-l ${long.slice(2)} -d ${quoted(about)}${value.trimEnd()}`;
}

function valuesFor(values: Values): string {
  switch (values.kind) {
    case 'words':
      return `-a '${values.words.join(' ')}'`;
    case 'files':
      return '-F';
    case 'folders':
      return `-a '(__fish_complete_directories)'`;
    case 'stored':
      return `-a '(rsi completion --list ${values.list} 2>/dev/null)'`;
    case 'anything':
      return '';
    default:
      return values satisfies never;
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
