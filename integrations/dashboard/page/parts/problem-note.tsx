import type { ProblemView } from '../../views.js';
import { Link } from './link.js';
import { State } from './state.js';

export const NOT_FOUND = 404;

/** Says what failed and what to do. */
export function ProblemNote({ problem }: { readonly problem: ProblemView }) {
  return (
    <div class="problem" role="alert">
      <h1>
        <State tone="failing" word={problem.status === NOT_FOUND ? 'Not found' : 'This view could not be read'} />
      </h1>
      <p>{problem.message}</p>
      <p class="row">
        {problem.action === 'reload' ? (
          <button type="button" onClick={() => location.reload()}>
            Reload the page
          </button>
        ) : null}
        <Link to={[]}>Go to the overview</Link>
      </p>
    </div>
  );
}
