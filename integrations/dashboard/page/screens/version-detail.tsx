import type { VersionView } from '../../bench-views.js';
import { points } from '../lib/bench-text.js';
import { Diff } from '../parts/diff.js';
import { Facts } from '../parts/facts.js';
import { LongText } from '../parts/long-text.js';
import { Section } from '../parts/section.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';

/** Version of the archive: why it should help, what was measured, and what it changes. */
export function VersionDetail({ version: { row, hypotheses, change, decision } }: { readonly version: VersionView }) {
  return (
    <Section
      title={
        <>
          Version <Text value={row.name} limit={80} />
        </>
      }
      note={row.id}
    >
      <Facts
        facts={[
          ['Why', hypotheses.length === 0 ? undefined : <Reasons key="w" hypotheses={hypotheses} />],
          [
            'Proof',
            row.result ? <LongText key="p" value={row.result.sentence} /> : 'not compared on the held-out half',
          ],
          ['Decision', decision ? <Decided key="d" decision={decision} /> : undefined],
        ]}
      />
      {change.length === 0 ? <p class="dim">It changes nothing.</p> : <Diff change={change} unified={undefined} />}
    </Section>
  );
}

function Reasons({ hypotheses }: Pick<VersionView, 'hypotheses'>) {
  return (
    <ul class="list">
      {hypotheses.map(({ hypothesis, expectedGain }, at) => (
        <li key={at}>
          <LongText value={hypothesis} />
          {expectedGain === undefined ? null : <span class="dim">expected {points(expectedGain)} points</span>}
        </li>
      ))}
    </ul>
  );
}

function Decided({
  decision: { kind, by, atMs, reason },
}: {
  readonly decision: NonNullable<VersionView['decision']>;
}) {
  return (
    <>
      {kind} by <Text value={by} limit={80} /> <When atMs={atMs} />
      {reason === undefined ? null : <LongText value={reason} />}
    </>
  );
}
