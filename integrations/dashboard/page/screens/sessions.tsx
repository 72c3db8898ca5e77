import { useMemo } from 'preact/hooks';
import type { SessionsView } from '../../session-views.js';
import { count, countOf } from '../lib/format.js';
import { modelNames } from '../lib/model-name.js';
import { usePage } from '../lib/page-context.js';
import { address } from '../lib/route.js';
import { usePeriodView } from '../lib/use-period-view.js';
import { useSettled } from '../lib/use-settled.js';
import { Empty } from '../parts/empty.js';
import { Filter } from '../parts/filter.js';
import { Link } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import { Screen } from '../parts/screen.js';
import { Table } from '../parts/table.js';
import { FEW_ROWS } from '../parts/table-layout.js';
import { SESSION_COLUMNS } from './session-columns.js';

const FIRST = 500;
const TYPING_MS = 300;
/** Parameters that the server filters by. */
const ASKED = ['pattern', 'task', 'model', 'tool'] as const;

export function SessionsScreen() {
  const { query } = usePage().route;
  const q = useSettled(query.q, TYPING_MS);
  const filters = Object.fromEntries(ASKED.map((name) => [name, query[name]]));
  const kept = usePeriodView(['sessions'], 'sessions', { ...filters, q, limit: query.limit ?? `${FIRST}` });
  return <Loaded<SessionsView> kept={kept}>{(view) => <Sessions view={view} />}</Loaded>;
}

function Sessions({ view }: { readonly view: SessionsView }) {
  const { route, setQuery } = usePage();
  const { sessions, found } = view;
  const { pattern } = route.query;
  const isFiltered = ASKED.some((name) => route.query[name] !== undefined) || route.query.q !== undefined;
  return (
    <Screen
      question="What happened in each session?"
      title="Sessions"
      period="newest sessions"
      answer={sessionsSummary(view)}
    >
      {found === 0 && !isFiltered ? (
        <Empty command="install">
          No outcome names a session. Hooks of agents name it automatically; in your own code pass <code>session</code>{' '}
          with each task.
        </Empty>
      ) : (
        <>
          {found > FEW_ROWS || isFiltered ? <SessionFilters view={view} /> : null}
          {pattern === undefined ? null : (
            <p class="note">
              Only sessions with one pattern. <Link to={['patterns', pattern]}>Back to the pattern</Link> ·{' '}
              <Link to={['sessions']}>all sessions</Link>
            </p>
          )}
          <Table
            label="sessions"
            rows={sessions}
            columns={SESSION_COLUMNS}
            rowKey={({ id }) => id}
            open={({ id }) => address(['sessions', id], { pattern })}
            order="-last"
            empty="No session matches these filters."
          />
          {sessions.length < found ? (
            <button type="button" onClick={() => setQuery({ limit: `${sessions.length * 4}` })}>
              Show more: {count(found - sessions.length)} older sessions match
            </button>
          ) : null}
        </>
      )}
    </Screen>
  );
}

function sessionsSummary({ sessions, found, searched }: SessionsView): string {
  const failed = sessions.filter(({ failures }) => failures > 0).length;
  const shown =
    sessions.length < found
      ? `the newest ${count(sessions.length)} of ${countOf(found, 'session')}`
      : countOf(found, 'session');
  return `${count(failed)} of ${shown} had a failure. Searched: the newest ${countOf(searched, 'outcome')}.`;
}

function SessionFilters({ view: { sessions } }: { readonly view: SessionsView }) {
  const { query } = usePage().route;
  const options = useMemo(() => {
    const choices = (values: readonly (string | undefined)[]) =>
      [...new Set(values)].filter((one) => one !== undefined).sort();
    const tasks = choices([query.task, ...sessions.map(({ lastFailure }) => lastFailure?.task)]);
    const models = choices([query.model, ...sessions.flatMap((session) => session.models)]);
    return [
      { name: 'task', title: 'Failed task', values: tasks, labelOf: (task: string) => task },
      { name: 'model', title: 'Model', values: models, labelOf: modelNames(models) },
    ];
  }, [sessions, query.task, query.model]);
  return (
    <div class="filters">
      {options.map(({ name, title, values, labelOf }) =>
        values.length < 2 && query[name] === undefined ? null : (
          <Filter key={name} name={name} title={title} options={values.map((one) => [one, labelOf(one)])} />
        ),
      )}
    </div>
  );
}
