import { useMemo } from 'preact/hooks';
import type { PatternRow, PatternsView } from '../../views.js';
import { count, countOf, percent } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { oneLine } from '../lib/recorded-text.js';
import { address } from '../lib/route.js';
import { isolated, issueWord, whereText } from '../lib/sentences.js';
import { usePeriodView } from '../lib/use-period-view.js';
import { Empty } from '../parts/empty.js';
import { Loaded } from '../parts/loaded.js';
import { WINDOW } from '../parts/period-choice.js';
import { Screen } from '../parts/screen.js';
import { Section } from '../parts/section.js';
import { Table } from '../parts/table.js';
import { patternColumns } from './pattern-columns.js';
import { filterPatterns, PatternFacets } from './pattern-facets.js';

export function PatternsScreen() {
  const kept = usePeriodView(['patterns'], 'patterns');
  return <Loaded<PatternsView> kept={kept}>{(view) => <Patterns view={view} />}</Loaded>;
}

function Patterns({ view }: { readonly view: PatternsView }) {
  const { query } = usePage().route;
  const rows = useMemo(() => filterPatterns(view.patterns, query), [view, query]);
  const [failures, measures] = useMemo(() => apart(rows), [rows]);
  const columns = useMemo(() => patternColumns(view.patterns, view.sessions), [view]);
  const open = ({ id }: PatternRow) => address(['patterns', id]);
  return (
    <Screen question="What fails?" title="What fails" period={WINDOW} answer={patternsSummary(failures, view.sessions)}>
      {view.patterns.length === 0 ? (
        <Empty command="import ./logs">
          No failures belong together in this period. Patterns appear once the same failure was recorded several times.
          Logs that you already have count too.
        </Empty>
      ) : (
        <>
          <PatternFacets view={view} rows={failures} />
          <Table
            label="patterns"
            rows={failures}
            columns={columns}
            rowKey={({ id }) => id}
            open={open}
            order="-impact"
            empty="No pattern matches these filters."
          />
          <Muted view={view} />
          {measures.length === 0 ? null : (
            <Section title="Slower or costlier than before" note="work that succeeded">
              <Table
                name="measures"
                label="slower or costlier work"
                rows={measures}
                columns={columns}
                rowKey={({ id }) => id}
                open={open}
                order="-impact"
                tools={false}
              />
            </Section>
          )}
        </>
      )}
    </Screen>
  );
}

/** Says how many patterns are muted, and shows them. */
function Muted({ view: { patterns } }: { readonly view: PatternsView }) {
  const { route, setQuery } = usePage();
  const muted = patterns.filter(({ isMuted }) => isMuted).length;
  if (muted === 0 && route.query.muted === undefined) return null;
  const isShown = route.query.muted !== undefined;
  return (
    <button type="button" class="link" onClick={() => setQuery({ muted: isShown ? undefined : '1' })}>
      {isShown ? 'Back to the patterns that are not muted' : `Show ${countOf(muted, 'muted pattern')}`}
    </button>
  );
}

function apart(rows: readonly PatternRow[]): readonly [readonly PatternRow[], readonly PatternRow[]] {
  const isMeasure = ({ kind }: PatternRow) => kind === 'slow' || kind === 'costly';
  return [rows.filter((row) => !isMeasure(row)), rows.filter(isMeasure)];
}

function patternsSummary(failures: readonly PatternRow[], sessions: number): string {
  const [worst, ...others] = worstGroup(failures);
  if (!worst) return 'Nothing fails in this period.';
  const rising = failures.filter(({ trend }) => trend === 'rising' || trend === 'new' || trend === 'returned').length;
  const where = whereText(worst.where);
  const place = where === 'everywhere' || others.length > 0 ? '' : `, where ${where}`;
  const inSessions = worst.sessions === 0 ? '' : `, in ${percent(worst.sessions / sessions)} of the sessions`;
  const message = `“\u2068${oneLine(worst.template.replaceAll('<*>', '…'), 70)}\u2069”`;
  const said = others.length === 0 ? message : `${count(others.length + 1)} wordings, first ${message}`;
  const failed = others.reduce((sum, row) => sum + row.count, worst.count);
  const inAll = `${countOf(failures.length, 'pattern')} in all, ${count(rising)} new or rising.`;
  return `${isolated(worst.task)} fails worst, with ${issueWord(worst.issue)} (${said}): ${count(failed)} of ${countOf(worst.rate.of, 'task')}${others.length === 0 ? inSessions : ''}${place}. ${inAll}`;
}

/** Returns the wordings of the task and class with the highest impact, highest first. The overview begins with them. */
function worstGroup(failures: readonly PatternRow[]): readonly PatternRow[] {
  const groups = new Map<string, PatternRow[]>();
  for (const row of failures) {
    const key = JSON.stringify([row.kind, row.task, row.issue]);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const impact = (rows: readonly PatternRow[]) => rows.reduce((sum, row) => sum + row.impact.score, 0);
  const [worst = []] = [...groups.values()].sort((a, b) => impact(b) - impact(a));
  return worst.sort((a, b) => b.impact.score - a.impact.score);
}
