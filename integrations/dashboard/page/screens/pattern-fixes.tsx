import type { PatternView } from '../../views.js';
import { forecastText } from '../lib/sentences.js';
import { Link } from '../parts/link.js';
import { Section } from '../parts/section.js';
import { StatusOf } from '../parts/state.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';

/** Fixes that were proposed or tried for the pattern. */
export function PatternFixes({ view: { fixes } }: { readonly view: PatternView }) {
  return (
    <Section title="What was tried">
      {fixes.length === 0 ? (
        <p class="dim">No fix was proposed for it. Proposals appear here and under Review.</p>
      ) : (
        <ul class="list">
          {fixes.map((fix) => (
            <li key={fix.id}>
              <StatusOf status={fix.status} />{' '}
              {fix.status === 'proposed' ? (
                <Link to={['review']} query={{ fix: fix.id }}>
                  <Text value={fix.title} limit={160} />
                </Link>
              ) : (
                <Link to={['trials', fix.id]}>
                  <Text value={fix.title} limit={160} />
                </Link>
              )}
              <div class="dim">
                <When atMs={fix.changedMs} />
                {fix.status === 'proposed' ? ` · ${forecastText(fix)}` : ''}
              </div>
              {fix.status === 'proposed' && fix.needs !== undefined ? (
                <div>
                  Needs first: <Text value={fix.needs} limit={300} />
                </div>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
