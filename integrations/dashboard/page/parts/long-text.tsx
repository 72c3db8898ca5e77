import { useState } from 'preact/hooks';
import { count } from '../lib/format.js';
import { shown } from '../lib/recorded-text.js';

const FIRST = 1_200;
const MOST = 20_000;

/** Recorded text of any length, with its line breaks. Long texts are cut, with a button to see more. */
export function LongText({ value }: { readonly value: string }) {
  const [limit, setLimit] = useState(FIRST);
  const { text, cut } = shown(value, limit);
  return (
    <div class="long-text">
      <bdi>{text}</bdi>
      {cut > 0 && limit < MOST ? (
        <button type="button" class="link" onClick={() => setLimit(MOST)}>
          Show more ({count(cut)} characters left)
        </button>
      ) : null}
      {cut > 0 && limit >= MOST ? <p class="dim">{count(cut)} more characters are not shown.</p> : null}
    </div>
  );
}
