import { countOf } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { Link } from './link.js';

/** Way to the versions of the agent that wait for a person; nothing without one. */
export function VersionsWait() {
  const { versionsWaiting = 0 } = usePage().state.status ?? {};
  if (versionsWaiting === 0) return null;
  return (
    <p>
      <Link to={['benchmarks']}>
        {countOf(versionsWaiting, 'version')} of the agent {versionsWaiting === 1 ? 'waits' : 'wait'} for you
      </Link>
    </p>
  );
}
