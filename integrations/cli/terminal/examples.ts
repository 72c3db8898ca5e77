import { commandName } from './command-name.js';
import { columns, padEnd } from './terminal-text.js';

/** Example command without its `rsi`, and its effect. */
export type Example = readonly [words: string, does: string];

/** Formats the end of a help text: commands to copy, with the prefix of this run. */
export function examples(list: readonly Example[], width: number): string {
  const name = commandName();
  const commands = list.map(([words]) => `  ${name} ${words}`);
  const wide = Math.max(...commands.map(columns));
  const fits = list.every(([, does]) => wide + 2 + columns(does) <= Math.min(80, width));
  const lines = list.map(([, does], index) => {
    const command = commands[index] ?? '';
    return fits ? `${padEnd(command, wide)}  ${does}` : `${command}\n      ${does}`;
  });
  return `\nExamples:\n${lines.join('\n')}`;
}
