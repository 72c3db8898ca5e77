import type { PatternView } from '../../views.js';
import { countOf } from '../lib/format.js';
import { address } from '../lib/route.js';
import { Link } from '../parts/link.js';
import { Section } from '../parts/section.js';
import { Table } from '../parts/table.js';
import { OUTCOME_COLUMNS } from './outcome-columns.js';
import { SESSION_COLUMNS } from './session-columns.js';

/** Sessions in which the pattern occurred, and failures that belong to none. */
export function PatternSessions({ view: { pattern, sessions, outcomes, searched } }: { readonly view: PatternView }) {
  return (
    <>
      <Section
        title="In which sessions?"
        note={
          <Link to={['sessions']} query={{ pattern: pattern.id }}>
            all of them
          </Link>
        }
      >
        <Table
          name="sessions"
          label="sessions with this failure"
          rows={sessions}
          columns={SESSION_COLUMNS}
          rowKey={({ id }) => id}
          open={({ id }) => address(['sessions', id], { pattern: pattern.id })}
          order="-last"
          empty={`None of the newest ${countOf(searched, 'outcome')} with this failure belongs to a session.`}
        />
      </Section>
      {outcomes.length === 0 ? null : (
        <Section title="Failures without a session">
          <Table
            name="outcomes"
            label="failures without a session"
            rows={outcomes}
            columns={OUTCOME_COLUMNS}
            rowKey={({ id }) => id}
            order="-at"
          />
        </Section>
      )}
    </>
  );
}
