import { usePage } from '../lib/page-context.js';
import { LongText } from '../parts/long-text.js';
import { Section } from '../parts/section.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';

/** Newest problems of the loop itself, such as a hook that failed. */
export function LoopProblems() {
  const problems = usePage().state.status?.problems ?? [];
  if (problems.length === 0) return null;
  return (
    <Section title="Problems of the loop itself" note="they do not count as failures of the agent">
      <ul class="list">
        {problems.map(({ atMs, where, message }, index) => (
          <li key={`${atMs}-${index}`} class="problem-row">
            <span class="dim">
              <When atMs={atMs} /> in <Text value={where} limit={60} />
            </span>
            <LongText value={message} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
