import type { TrialFigures } from 'rsi-loop';
import { digits, dollars, duration } from '../lib/format.js';
import { sideTexts } from '../lib/sentences.js';
import { Evidence } from '../parts/evidence.js';
import { Section } from '../parts/section.js';
import { State } from '../parts/state.js';

const NAMES = {
  duration: 'Duration',
  tokens: 'Tokens',
  cost: 'Cost',
  quality: 'Quality',
  'other-tasks': 'Other tasks',
  waits: 'Waits',
} as const;

/** Guards of a trial: measures that must not get worse, with the evidence that they do. */
export function TrialGuards({ figures }: { readonly figures: TrialFigures }) {
  const { guards, extraMs, extraUsd } = figures;
  return (
    <Section title="Does anything else get worse?" note="evidence of harm, of what ends the trial">
      {guards.length === 0 ? <p class="dim">No guard is watched in this trial.</p> : null}
      <ul class="list guards">
        {guards.map(({ guard, eHarm, needed }) => (
          <li key={guard}>
            <span>{NAMES[guard]}</span>
            <State tone={eHarm >= needed ? 'failing' : 'confirmed'} word={eHarm >= needed ? 'worse' : 'not worse'} />
            <Evidence eHelp={eHarm} needed={needed} />
            <span class="number dim">
              {digits(eHarm)} of {digits(needed)}
            </span>
          </li>
        ))}
      </ul>
      {extraMs === undefined ? null : <p>A task takes {changeText(extraMs, duration)} with the fix, on average.</p>}
      {extraUsd === undefined ? null : <p>A task costs {changeText(extraUsd, dollars)} with the fix, on average.</p>}
      {sideTexts(figures).map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Section>
  );
}

function changeText(value: number, format: (value: number) => string): string {
  return `${format(Math.abs(value))} ${value < 0 ? 'less' : 'more'}`;
}
