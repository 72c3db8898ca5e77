import type { Change } from 'rsi-loop';
import type { FixView } from '../../fix-views.js';
import { DecisionBar } from '../decide/decision-bar.js';
import { capital, forecastText, issueWord, rateSentence, verdictText } from '../lib/sentences.js';
import { useView } from '../lib/use-view.js';
import { Diff } from '../parts/diff.js';
import { Facts } from '../parts/facts.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { LongText } from '../parts/long-text.js';
import { Section } from '../parts/section.js';
import { StatusOf } from '../parts/state.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';

/** A proposal as a person needs it to decide: what changes, why, for how long it would be tried, what it contradicts. */
export function FixDetail({ id }: { readonly id: string }) {
  const kept = useView(`fixes/${encodeURIComponent(id)}`, 'review');
  return (
    <Loaded<FixView> kept={kept} isPart>
      {(view) => <Detail view={view} />}
    </Loaded>
  );
}

function Detail({ view }: { readonly view: FixView }) {
  const { row, explanation, change, followed } = view;
  const { fix, pattern } = explanation;
  return (
    <>
      <h2 class="detail-title">
        <Text value={row.title} limit={300} />
      </h2>
      <DecisionBar fix={row} />
      <Facts
        facts={[
          ['Status', <StatusOf key="s" status={row.status} />],
          ['Why', <LongText key="w" value={row.reason} />],
          [
            'Failure',
            <Link key="p" to={['patterns', row.patternId]}>
              <Text value={row.task} limit={60} /> {issueWord(row.issue)}
            </Link>,
          ],
          ['How often', pattern ? rateSentence(pattern.rate, pattern.task) : 'not seen in this window'],
          ['Forecast', capital(forecastText(row))],
          ['Expected', fix.expectedEffect === undefined ? undefined : <LongText key="e" value={fix.expectedEffect} />],
          ['Worded by', fix.wordedBy === undefined ? undefined : <Text key="b" value={fix.wordedBy} limit={80} />],
          [
            'Versions',
            'version' in fix.change ? <Text key="l" value={versionsOf(fix.change)} limit={300} /> : undefined,
          ],
          ['Waits for', row.wait === undefined ? undefined : <LongText key="f" value={row.wait.sentence} />],
          ['Needs first', row.needs === undefined ? undefined : <LongText key="n" value={row.needs} />],
          ['Verdict', fix.verdict ? capital(verdictText(fix.verdict, followed)) : undefined],
          [
            'Trial',
            fix.trial ? (
              <Link key="t" to={['trials', row.id]}>
                see both arms and the evidence
              </Link>
            ) : undefined,
          ],
        ]}
      />
      {fix.contradicts?.length ? (
        <Section title="Conflicts with existing rules">
          {fix.contradicts.map((rule) => (
            <blockquote key={rule}>
              <LongText value={rule} />
            </blockquote>
          ))}
        </Section>
      ) : null}
      {fix.marks?.length ? (
        <Section title="Read with care">
          {fix.marks.map((mark) => (
            <blockquote key={mark}>
              <LongText value={mark} />
            </blockquote>
          ))}
        </Section>
      ) : null}
      <Section title="What changes">
        <Diff change={change} unified={explanation.diff} />
      </Section>
      {explanation.lessons.length > 0 ? <Lessons view={view} /> : null}
    </>
  );
}

/** Returns the versions that led to a text, its author, and the versions that it combines. */
function versionsOf({ version, replaces, by, parents = [] }: Extract<Change, { readonly version: string }>): string {
  const short = (one: string) => one.slice(0, 8);
  const combined = parents.length > 0 ? `, combines ${parents.map(short).join(' and ')}` : '';
  return `${[...replaces, version].map(short).join(' > ')}, written by ${by}${combined}`;
}

function Lessons({ view: { explanation } }: { readonly view: FixView }) {
  return (
    <Section title="What was learned before about these failures">
      <ul class="list">
        {explanation.lessons.map((lesson) => (
          <li key={`${lesson.fixId}-${lesson.atMs}`}>
            {capital(lesson.result.replaceAll('-', ' '))}: <Text value={lesson.reason} limit={300} />{' '}
            <span class="dim">
              <When atMs={lesson.atMs} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
