import { Option } from 'commander';
import type { FixStatus } from 'rsi-loop';
import { fixesToReview, reviewOf } from '../../reports/review.js';
import { renderReview } from '../fixes/render-review.js';
import { STATUSES, statusWords } from '../fixes/status-words.js';
import { isWithin, type Range, rangeOptions } from '../since.js';
import { readVerb } from '../verb.js';

/** Name of the default filter: fixes that wait for a person. */
const PENDING = 'pending';

/** The verb `rsi review`: shows what waits for a person, with everything needed to decide. */
export const review = readVerb<Range & { readonly status?: FixStatus | typeof PENDING }>({
  description:
    'Shows each fix that a person can decide on now: the change, why, what failed and how often, what it takes to prove it, and the commands to approve, apply or reject it. --since and --until pick those that changed then. Changes nothing.',
  examples: [
    ['review', 'what waits for you'],
    ['review --status trial', 'what is on trial'],
  ],
  options: [
    new Option('--status <status>', 'fixes with this status instead; pending: what waits for you').choices([
      ...STATUSES,
      PENDING,
    ]),
    ...rangeOptions(),
  ],
  rebuilt: true,
  read: async (loop, options, _, look) => {
    const status = options.status === PENDING ? undefined : options.status;
    const document = await reviewOf(
      loop,
      fixesToReview(loop, status).filter(({ changedMs }) => isWithin(changedMs, options)),
    );
    const isNone = status !== undefined && document.fixes.length === 0;
    return { document, text: isNone ? `No fix is ${statusWords(status)}.\n` : renderReview(document, look) };
  },
});
