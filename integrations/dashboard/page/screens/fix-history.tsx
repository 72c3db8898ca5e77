import type { Explanation, FixStatus } from 'rsi-loop';
import { capital } from '../lib/sentences.js';
import { Section } from '../parts/section.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';

interface Props {
  readonly history: Explanation['history'];
  /** Words for the signature of each entry, if one is signed. */
  readonly signatures?: readonly string[] | undefined;
}

/** Every decision on a fix, oldest first. */
export function FixHistory({ history, signatures }: Props) {
  if (history.length === 0) return null;
  return (
    <Section title="Who decided what?">
      <ol class="list">
        {history.map((entry, index) => (
          <li key={index}>
            {stepText(entry)}
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
            {signatures?.[index] === undefined ? null : <span class="dim"> {signatures[index]}</span>}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** Returns the step in words: what became of the fix, or what was done with its change. */
function stepText(entry: Explanation['history'][number]): string {
  return capital((entry.kind === 'fix-moved' ? STEPS[entry.to] : entry.kind).replace(/^fix-/, '').replaceAll('-', ' '));
}

/** Statuses that do not read as a step. */
const STEPS: Readonly<Record<FixStatus, string>> = {
  proposed: 'proposed',
  approved: 'approved',
  trial: 'on trial',
  confirmed: 'confirmed',
  rejected: 'rejected',
  'rolled-back': 'rolled back',
  'applied-unverified': 'applied without proof',
  reopened: 'reopened',
  superseded: 'replaced',
  expired: 'expired',
  void: 'void',
};
