import { Option } from 'commander';
import type { FixStatus } from 'rsi-loop';
import { listFixes, renderFixes } from '../fixes/list.js';
import { STATUSES, statusWords } from '../fixes/status-words.js';
import { isWithin, type Range, rangeOptions } from '../since.js';
import { plain } from '../terminal/terminal-text.js';
import { readVerb } from '../verb.js';

interface Options extends Range {
  readonly status?: FixStatus;
  readonly task?: string;
}

/** The verb `rsi fixes`: lists what was proposed, is on trial, was confirmed or rolled back. */
export const fixes = readVerb<Options>({
  description: 'Lists the fixes of a loop: what each would change, the state of its trial, and who decided.',
  examples: [
    ['fixes', 'all of them'],
    ['fixes --status trial --task api_call', 'what is on trial for one task'],
  ],
  options: [
    new Option('--status <status>', 'only fixes with this status').choices(STATUSES),
    new Option('--task <task>', 'only fixes of this task'),
    ...rangeOptions(),
  ],
  rebuilt: true,
  read: async (loop, { status, task, ...range }, _, look) => {
    const all = await listFixes(loop, { ...(status && { status }), ...(task !== undefined && { task }) });
    const list = { ...all, fixes: all.fixes.filter(({ changedMs }) => isWithin(changedMs, range)) };
    const isFiltered = list.fixes.length < all.fixes.length || status !== undefined || task !== undefined;
    return {
      document: list,
      text: isFiltered && list.fixes.length === 0 ? noneWords(status, task) : renderFixes(list, look),
    };
  },
});

function noneWords(status: FixStatus | undefined, task: string | undefined): string {
  const which = task === undefined ? 'No fix' : `No fix of ${plain(task)}`;
  return `${which}${status === undefined ? '' : ` is ${statusWords(status)}`}.\n`;
}
