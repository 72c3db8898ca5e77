import type { CandidateResult } from '../../bench-views.js';
import { gainText, RESULTS } from '../lib/bench-text.js';
import { State } from '../parts/state.js';
import { Text } from '../parts/text.js';

/** Result of a candidate in one line. */
export function ResultOf({ result }: { readonly result: CandidateResult }) {
  const [tone, word] = RESULTS[result.kind];
  return (
    <>
      <State tone={tone} word={word} /> <Text value={result.candidate} limit={40} /> {gainText(result)}
    </>
  );
}
