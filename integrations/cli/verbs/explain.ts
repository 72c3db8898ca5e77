import { Option } from 'commander';
import { followedOf } from '../../reports/followed.js';
import { signaturesOf } from '../../reports/signatures.js';
import { renderExplanation } from '../fixes/describe.js';
import { findFix } from '../fixes/find-fix.js';
import { placesOf } from '../patterns/places.js';
import { readVerb } from '../verb.js';

/** The verb `rsi explain <id>`: shows why a fix was proposed, its history and the meaning of its figures. */
export const explain = readVerb<{ readonly figures?: boolean }, string>({
  description:
    'Shows everything about one fix: the failures it is for, the change, the trial and its result, each decision, lessons.',
  examples: [
    ['explain 1371', 'the beginning of an id is enough'],
    ['explain 1371 --figures', 'with the figures of the test'],
  ],
  options: [new Option('--figures', 'also the figures of the test: evidence, ratio of failures, guards')],
  rebuilt: true,
  read: async (loop, { figures = false }, id, look) => {
    const explanation = loop.explain(findFix(loop, id, look.next).id);
    const { pattern } = explanation;
    const places = pattern ? ((await placesOf(loop, [pattern])).get(pattern.id) ?? []) : [];
    const signatures = signaturesOf(explanation.history);
    const followed = (await followedOf(loop, [explanation.fix])).get(explanation.fix.id);
    const more = { places, ...(followed && { followed }), ...(signatures && { signatures }) };
    const document = { format: 'rsi-explain/1', ...explanation, ...more };
    const beside = { ...more, figures };
    return { document, text: renderExplanation(explanation, beside, look) };
  },
});
