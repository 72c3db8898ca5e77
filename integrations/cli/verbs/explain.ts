import { signaturesOf } from '../../reports/signatures.js';
import { renderExplanation } from '../fixes/describe.js';
import { findFix } from '../fixes/find-fix.js';
import { placesOf } from '../patterns/places.js';
import { readVerb } from '../verb.js';

/** The verb `rsi explain <id>`: shows why a fix was proposed, its history and the meaning of its figures. */
export const explain = readVerb<object, string>({
  description: 'Shows everything about one fix: the failures it is for, the change, the trial, each decision, lessons.',
  examples: [['explain 1371', 'the beginning of an id is enough']],
  rebuilt: true,
  read: async (loop, _, id, look) => {
    const explanation = loop.explain(findFix(loop, id, look.next).id);
    const { pattern } = explanation;
    const places = pattern ? ((await placesOf(loop, [pattern])).get(pattern.id) ?? []) : [];
    const signatures = signaturesOf(explanation.history);
    const document = { format: 'rsi-explain/1', ...explanation, places, ...(signatures && { signatures }) };
    return { document, text: renderExplanation(explanation, { places, ...(signatures && { signatures }) }, look) };
  },
});
