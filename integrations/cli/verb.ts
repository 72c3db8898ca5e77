import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RSILoop } from 'rsi-loop';
import { ConfiguredOption, setDefaults } from './config/configured-option.js';
import type { Configuration } from './config/load.js';
import { loopOptions } from './config/loop-options.js';
import { EXIT, type ExitCode } from './exit.js';
import { type Example, examples } from './terminal/examples.js';
import { DEFAULT_STORE, type Look, lookAt } from './terminal/look.js';
import { print, type Report } from './terminal/output.js';
import { reportingErrors } from './terminal/report-errors.js';

/** Adds the description, the options and the effect of a verb to its command. Its action passes the exit code to `done`. */
export type Verb = (command: Command, done: (exitCode: ExitCode) => void, width: number) => void;

/** Help, options and effect of a verb. Its row in `table.ts` holds its name, its summary and its argument. */
export interface VerbSpec<Options, Argument = undefined> {
  readonly description: string;
  readonly examples: readonly Example[];
  readonly options: readonly Option[];
  /** `config` loads the configuration of the working folder, once. */
  run(options: Options, argument: Argument, config: () => Promise<Configuration>): Promise<ExitCode>;
}

/** Creates a verb. Errors that a person can fix become one line on standard error and exit code 2. */
export function verb<Options, Argument = undefined>(spec: VerbSpec<Options, Argument>): Verb {
  return (command, done, width) => {
    command.description(spec.description).addHelpText('after', examples(spec.examples, width));
    for (const option of spec.options) command.addOption(option);
    command.action(async (...given: readonly unknown[]) => {
      const argument = command.registeredArguments.length > 0 ? given[0] : undefined;
      // Commander has parsed both by the syntax in the row and in `spec`.
      done(
        await reportingErrors(async () => {
          let loaded: Promise<Configuration> | undefined;
          const config = () => {
            loaded ??= import('./config/load.js').then(({ loadConfig }) => loadConfig());
            return loaded;
          };
          await setDefaults(command, spec.options, config);
          return spec.run(command.opts() as Options, argument as Argument, config);
        }),
      );
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
    run: async (given, argument, config) => {
      // Help and wrong options do not load the loop.
      const { whenRebuilt, withLoop } = await import('./store/open-loop.js');
      const work = async (loop: RSILoop) => {
        if (rebuilt) await whenRebuilt(loop);
        await print(await read(loop, given, argument, lookAt(process.stdout, given.store)), given.json);
        return EXIT.done;
      };
      return withLoop(given.store, 'read', work, loopOptions(await config()));
    },
  });
}

export function storeOption(meaning = 'the folder of the loop, or postgres://...'): Option {
  return new ConfiguredOption('--store <place>', meaning, 'store').default(DEFAULT_STORE);
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
