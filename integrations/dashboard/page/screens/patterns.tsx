import { useMemo } from 'preact/hooks';
import type { PatternRow, PatternsView } from '../../views.js';
import { count, countOf } from '../lib/format.js';
import { useNow, usePage } from '../lib/page-context.js';
import { address } from '../lib/route.js';
import { capital, issueWord, rateSentence, whereText } from '../lib/sentences.js';
import { useView } from '../lib/use-view.js';
import { Empty } from '../parts/empty.js';
import { Loaded } from '../parts/loaded.js';
import { Screen } from '../parts/screen.js';
import { Table } from '../parts/table.js';
import { patternColumns } from './pattern-columns.js';
import { filterPatterns, PatternFilters } from './pattern-filters.js';

export function PatternsScreen() {
  return <Loaded<PatternsView> kept={useView('patterns', 'patterns')}>{(view) => <Patterns view={view} />}</Loaded>;
}

function Patterns({ view }: { readonly view: PatternsView }) {
  const { query } = usePage().route;
  const { task, issue, model, tool, source, kind, since } = query;
  const nowMs = useNow();
  const rows = useMemo(
    () => filterPatterns(view.patterns, query, nowMs),
    [view, task, issue, model, tool, source, kind, since, since ? nowMs : 0],
  );
  const columns = useMemo(() => patternColumns(view.patterns), [view]);
  return (
    <Screen question="What fails?" title="What fails" answer={patternsSummary(view.patterns)}>
      {view.patterns.length === 0 ? (
        <Empty command="npx rsi import ./logs">
          No failures belong together yet. Patterns appear once the same failure was recorded several times. Logs that
          you already have count too.
        </Empty>
      ) : (
        <>
          <PatternFilters patterns={view.patterns} />
          <Table
            label="patterns"
            rows={rows}
            columns={columns}
            rowKey={({ id }) => id}
            open={({ id }) => address(['patterns', id])}
            empty="No pattern matches these filters."
          />
        </>
      )}
    </Screen>
  );
}

function patternsSummary(patterns: readonly PatternRow[]): string {
  // Rows come in the order of every list: failures first, the costliest first.
  const [worst] = patterns;
  if (!worst) return 'Nothing fails in this window.';
  const rising = patterns.filter(({ trend }) => trend === 'rising' || trend === 'new' || trend === 'returned').length;
  const where = whereText(worst.where);
  const place = where === 'everywhere' ? '' : `, at ${where}`;
  return `${capital(issueWord(worst.issue))} costs most: ${rateSentence(worst.rate, worst.task)}${place}. ${countOf(patterns.length, 'pattern')} in all, ${count(rising)} new or rising.`;
}
