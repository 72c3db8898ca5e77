import { Option } from 'commander';
import { type EraseFilter, LoopError } from 'rsi-loop';
import { counted } from '../../reports/words/numbers.js';
import { EXIT } from '../exit.js';
import { eraseSpool } from '../hook/erase-inbox.js';
import { withLoop } from '../store/open-loop.js';
import { userName } from '../store/user-name.js';
import { notice, print } from '../terminal/output.js';
import { jsonOption, type ReadOptions, storeOption, verb } from '../verb.js';
import { eraseFacts } from '../worse/facts-file.js';

interface Options extends EraseFilter, ReadOptions {
  readonly by?: string;
  readonly dryRun?: true;
}

const FIELDS = ['session', 'agent', 'source', 'text'] as const;

/** The verb `rsi erase`: removes records permanently. */
export const erase = verb<Options>({
  description:
    'Removes the records that match every given field: from the journal of every process, saved state, copies of damaged records, hook files, and running loops, which drop them with their next cycle. Decisions show [erased] instead of words that only those records held. Rules in files of the agent, exports and backups stay.',
  examples: [
    ['erase --session 7f3a --dry-run', 'count the matches'],
    ['erase --session 7f3a', 'one session'],
    ['erase --text jane@example.org', 'every record with a text'],
  ],
  options: [
    storeOption(),
    new Option('--session <id>', 'records of this session'),
    new Option('--agent <name>', 'records of this agent'),
    new Option('--source <name>', 'records of this source'),
    new Option('--text <text>', 'records that hold this text, exactly as written'),
    new Option('--by <name>', 'who asks for it; kept in the ledger (default: the user of the system)'),
    new Option('--dry-run', 'change nothing, and print what would be removed'),
    jsonOption(),
  ],
  run: (options) => {
    const { store, by = userName(), dryRun = false, json } = options;
    const given = FIELDS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]] as const]));
    if (given.length === 0) {
      throw new LoopError('invalid-input', 'nothing to erase: give --session, --agent, --source or --text');
    }
    const filter: EraseFilter = Object.fromEntries(given);
    return withLoop(store, dryRun ? 'read' : 'decide', async (loop) => {
      const erased = await loop.erase(filter, { by, dryRun });
      const files = eraseSpool(store, filter, { dryRun }) + eraseFacts(store, filter, { dryRun });
      const receipt = { ...erased, files: erased.files + files };
      const { waiting = [] } = erased;
      if (waiting.length > 0) {
        const who = `${counted(waiting.length, 'process')} (${waiting.join(', ')})`;
        await notice(`${who} may still hold such records in memory: erase again once it has continued or ended`);
      }
      const document = { format: 'rsi-erase/1', dryRun, fields: Object.keys(filter), by, ...receipt };
      await print({ document, text: `${sentence(receipt, dryRun)}\n` }, json);
      return EXIT.done;
    });
  },
});

function sentence(
  { records, decisions, files }: { readonly records: number; readonly decisions: number; readonly files: number },
  dryRun: boolean,
): string {
  const what = `${counted(records, 'record')} and ${counted(files, 'other file')}, and words in ${counted(decisions, 'decision')}`;
  return dryRun ? `would erase ${what}: nothing was changed` : `erased ${what}`;
}
