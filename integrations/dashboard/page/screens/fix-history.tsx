import type { Explanation } from 'rsi-loop';
import { Section } from '../parts/section.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';

/** Every decision on a fix, oldest first. */
export function FixHistory({ history }: { readonly history: Explanation['history'] }) {
  if (history.length === 0) return null;
  return (
    <Section title="Who decided what?">
      <ol class="list">
        {history.map((entry, index) => (
          <li key={index}>
            {entry.kind.replaceAll('-', ' ')}
            {'by' in entry ? (
              <>
                {' '}
                by <Text value={entry.by} limit={80} />
              </>
            ) : null}
            {'reason' in entry && entry.reason !== undefined ? (
              <>
                : <Text value={entry.reason} limit={300} />
              </>
            ) : null}{' '}
            {'atMs' in entry ? (
              <span class="dim">
                <When atMs={entry.atMs} />
              </span>
            ) : null}
          </li>
        ))}
      </ol>
    </Section>
  );
}
