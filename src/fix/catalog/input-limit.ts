import { whole } from '../../lib/text.js';
import type { CatalogEntry } from '../candidate.js';
import { readTokenLimit } from '../read-limits.js';

/** Share of the model's window that is reserved for its answer. */
const FOR_THE_ANSWER = 0.1;

/** Sets the input limit to the size that the provider stated in its errors, less room for the answer. */
export const inputLimit: CatalogEntry = {
  name: 'input-limit-from-message',
  match: (pattern) => pattern.kind === 'failure' && pattern.issue === 'context_length',
  propose(pattern, { policy }) {
    const stated = readTokenLimit(pattern.examples);
    if (stated === undefined) return [];
    const tokens = Math.floor(stated * (1 - FOR_THE_ANSWER));
    const present = policy['input.maxTokens'];
    if (present > 0 && present <= tokens) return [];
    return [
      {
        set: { 'input.maxTokens': tokens },
        safe: true,
        reason: `the provider takes ${whole(stated)} tokens and ${whole(pattern.count)} inputs were longer: your function reads \`policy['input.maxTokens']\` and cuts to ${tokens}`,
      },
    ];
  },
};
