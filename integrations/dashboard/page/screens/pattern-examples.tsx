import type { PatternView } from '../../views.js';
import { count, countOf } from '../lib/format.js';
import { LongText } from '../parts/long-text.js';
import { Section } from '../parts/section.js';
import { When } from '../parts/when.js';

/** Distinct messages with their own counts. */
export function PatternExamples({ view: { examples, searched } }: { readonly view: PatternView }) {
  if (examples.length === 0) return null;
  return (
    <Section title="What it says" note={`among the newest ${countOf(searched, 'outcome')}`}>
      <ul class="examples">
        {examples.map(({ message, count: times, lastMs }, index) => (
          <li key={index}>
            <span class="number times">{count(times)}×</span>
            <LongText value={message} />
            <span class="dim">
              <When atMs={lastMs} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
