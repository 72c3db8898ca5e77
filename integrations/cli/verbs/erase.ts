import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { type EraseFilter, LoopError } from 'rsi-loop';
import { eraseSpool } from '../hook/erase-inbox.js';
import { DEFAULT_STORE } from '../store/next-command.js';
import { withLoop } from '../store/open-loop.js';
import { counted } from '../terminal/numbers.js';
import { plain, plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, examples, type Verb } from '../verb.js';

interface Options extends EraseFilter {
  readonly store: string;
  readonly by?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

const FIELDS = ['session', 'agent', 'source', 'text'] as const;

/** The verb `rsi erase`: removes records permanently. */
export const erase: Verb = {
  register(program, done) {
    program
      .command('erase')
      .summary('remove records for good')
      .description(
        'Removes the records that match every given field: from the journal of every process, saved state, copies of damaged records, what hooks left, and running loops, which forget them with their next cycle. Words that only those records held are replaced by [erased] in decisions. Rules in files of the agent, exports and backups stay.',
      )
      .addHelpText(
        'after',
        examples(
          ['erase --session 7f3a --dry-run', 'count what would go'],
          ['erase --session 7f3a', 'one session'],
          ['erase --text jane@example.org', 'every record that holds a text'],
        ),
      )
      .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
      .option('--session <id>', 'records of this session')
      .option('--agent <name>', 'records of this agent')
      .option('--source <name>', 'records of this source')
      .option('--text <text>', 'records that hold this text, exactly as written')
      .option('--by <name>', 'who asks for it; kept in the ledger (default: the user of the system)')
      .option('--dry-run', 'change nothing, and print what would be removed')
      .option('--json', 'print one JSON document instead')
      .action(async (options: Options, _: Command) => {
        const { store, by = userInfo().username, dryRun = false, json } = options;
        const given = FIELDS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]] as const]));
        const filter: EraseFilter = Object.fromEntries(given);
        done(
          await withLoop(store, dryRun ? 'read' : 'decide', async (loop) => {
            if (given.length === 0) {
              throw new LoopError('invalid-input', 'nothing to erase: give --session, --agent, --source or --text');
            }
            const erased = await loop.erase(filter, { by, dryRun });
            const receipt = { ...erased, files: erased.files + eraseSpool(store, filter, { dryRun }) };
            const document = { format: 'rsi-erase/1', dryRun, fields: Object.keys(filter), by, ...receipt };
            const { waiting = [] } = erased;
            if (waiting.length > 0) await write(process.stderr, stillHeld(waiting));
            await write(process.stdout, json ? `${plainJson(document)}\n` : `${sentence(receipt, dryRun)}\n`);
            return EXIT.done;
          }),
        );
      });
  },
};

function sentence(
  { records, decisions, files }: { readonly records: number; readonly decisions: number; readonly files: number },
  dryRun: boolean,
): string {
  const what = `${counted(records, 'record')} and ${counted(files, 'other file')}, and words in ${counted(decisions, 'decision')}`;
  return dryRun ? `would erase ${what}: nothing was changed` : `erased ${what}`;
}

function stillHeld(waiting: readonly string[]): string {
  const who = `${counted(waiting.length, 'process')} (${waiting.map(plain).join(', ')})`;
  return `${who} may still hold such records in memory: erase again when it has gone on or ended\n`;
}
