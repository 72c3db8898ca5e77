import type { Argument, Command, Option } from 'commander';
import { ARGUMENT_WORDS } from './argument-words.js';

/** Values that a shell offers at one place: fixed words, files, folders, or ids that the store holds. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' | 'folders' | 'anything' }
  | { readonly kind: 'stored'; readonly list: StoredList };

/** Lists that `rsi completion --list` prints. */
export const STORED_LISTS = ['fixes', 'patterns', 'tasks'] as const;
export type StoredList = (typeof STORED_LISTS)[number];

export interface CompletedOption {
  readonly long: string;
  readonly about: string;
  /** Undefined for a flag, which takes no value. */
  readonly values?: Values;
}

export interface CompletedVerb {
  /** Name and aliases. */
  readonly names: readonly string[];
  readonly about: string;
  readonly options: readonly CompletedOption[];
  /** Undefined if the verb takes no argument. */
  readonly argument?: Values;
}

/** Reads from the command line what a shell can complete. */
export function completedVerbs(program: Command): readonly CompletedVerb[] {
  return program.commands.map((verb) => {
    const [argument] = verb.registeredArguments;
    const fixed = ARGUMENT_WORDS[verb.name()];
    return {
      names: [verb.name(), ...verb.aliases()],
      about: verb.summary(),
      options: [...verb.options.flatMap(optionOf), { long: '--help', about: 'print this help' }],
      ...(argument && { argument: fixed ? { kind: 'words' as const, words: fixed } : valuesOf(argument.name()) }),
    };
  });
}

function optionOf({ long, description, flags, argChoices }: Option): CompletedOption[] {
  if (!long) return [];
  const placeholder = /[<[]([\w-]+)/.exec(flags)?.[1];
  if (placeholder === undefined) return [{ long, about: description }];
  const values = argChoices ? { kind: 'words' as const, words: argChoices } : valuesOf(placeholder);
  return [{ long, about: description, values }];
}

/** Returns the values for a placeholder, such as `<folder>` or `<id>`. */
function valuesOf(placeholder: ReturnType<Argument['name']>): Values {
  return PLACEHOLDERS[placeholder] ?? { kind: 'anything' };
}

const PLACEHOLDERS: Readonly<Record<string, Values>> = {
  folder: { kind: 'folders' },
  // A store is a folder, or an address that cannot be completed.
  place: { kind: 'folders' },
  file: { kind: 'files' },
  path: { kind: 'files' },
  id: { kind: 'stored', list: 'fixes' },
  pattern: { kind: 'stored', list: 'patterns' },
  task: { kind: 'stored', list: 'tasks' },
};
