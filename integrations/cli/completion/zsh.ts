import { bashScript } from './bash.js';
import type { CompletedVerb } from './words.js';

/** Writes the completion script for zsh, which runs that for bash. */
export function zshScript(verbs: readonly CompletedVerb[]): string {
  const [, ...lines] = bashScript(verbs).split('\n');
  return `# Completion of rsi for zsh. In ~/.zshrc: eval "$(rsi completion zsh)"
autoload -Uz compinit bashcompinit
(( \${+functions[compdef]} )) || compinit
bashcompinit
${lines.join('\n')}`;
}
