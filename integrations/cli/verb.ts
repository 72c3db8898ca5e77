import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RSILoop } from 'rsi-loop';
import { EXIT, type ExitCode } from './exit.js';
import { whenRebuilt, withLoop } from './store/open-loop.js';
import { commandName } from './terminal/command-name.js';
import { DEFAULT_STORE, type Look, lookAt } from './terminal/look.js';
import { print, type Report, reportingErrors } from './terminal/output.js';
import { columns, padEnd } from './terminal/text.js';

/** Adds one verb of the command `rsi` to the program. Its action passes the exit code to `done`. `width` is for its help. */
export type Verb = (program: Command, done: (exitCode: ExitCode) => void, width: number) => void;

/** Verb with its help, its options and its effect. */
export interface VerbSpec<Options, Argument = undefined> {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly Example[];
  /** Argument and its meaning, such as `['<id>', 'the id of the fix']`. */
  readonly argument?: readonly [syntax: string, meaning: string];
  readonly options: readonly Option[];
  run(options: Options, argument: Argument): Promise<ExitCode>;
}

/** Example command without its `rsi`, and its effect. */
export type Example = readonly [words: string, does: string];

/** Creates a verb. Errors that a person can fix become one line on standard error and exit code 2. */
export function verb<Options, Argument = undefined>(spec: VerbSpec<Options, Argument>): Verb {
  return (program, done, width) => {
    const command = program.command(spec.name).summary(spec.summary).description(spec.description);
    command.addHelpText('after', examples(spec.examples, width));
    if (spec.argument) command.argument(...spec.argument);
    for (const option of spec.options) command.addOption(option);
    command.action(async (...given: readonly unknown[]) => {
      const argument = spec.argument ? given[0] : undefined;
      // Commander has parsed both by the syntax in `spec`.
      done(await reportingErrors(() => spec.run(command.opts() as Options, argument as Argument)));
    });
  };
}

/** Options of every verb that reads the folder of a loop. */
export interface ReadOptions {
  readonly store: string;
  readonly json?: true;
}

type ReadSpec<Options, Argument> = Omit<VerbSpec<Options, Argument>, 'run' | 'options'> & {
  readonly options?: readonly Option[];
  /** True if the report needs every stored record, not only the decisions. */
  readonly rebuilt?: true;
  read(loop: RSILoop, options: Options & ReadOptions, argument: Argument, look: Look): Report | Promise<Report>;
};

/** Creates a verb that reads the loop of a folder, changes nothing, and prints a report or one JSON document. */
export function readVerb<Options, Argument = undefined>({
  read,
  rebuilt,
  options = [],
  ...spec
}: ReadSpec<Options, Argument>): Verb {
  return verb<Options & ReadOptions, Argument>({
    ...spec,
    options: [storeOption(), ...options, jsonOption()],
    run: (given, argument) =>
      withLoop(given.store, 'read', async (loop) => {
        if (rebuilt) await whenRebuilt(loop);
        await print(await read(loop, given, argument, lookAt(process.stdout, given.store)), given.json);
        return EXIT.done;
      }),
  });
}

export function storeOption(meaning = 'the folder of the loop'): Option {
  return new Option('--store <folder>', meaning).default(DEFAULT_STORE);
}

export function jsonOption(): Option {
  return new Option('--json', 'print one JSON document instead');
}

/** Returns an option with a number from `min` to `max`. */
export function numberOption(
  flags: string,
  meaning: string,
  { min, max, decimals = false }: { readonly min: number; readonly max: number; readonly decimals?: boolean },
): Option {
  return new Option(flags, meaning).argParser((text) => {
    const value = (decimals ? /^\d{1,12}(?:\.\d+)?$/ : /^\d{1,9}$/).test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a ${decimals ? '' : 'whole '}number from ${min} to ${max}.`);
  });
}

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
