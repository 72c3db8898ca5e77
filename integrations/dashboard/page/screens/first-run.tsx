import { useState } from 'preact/hooks';
import type { WorkVerb } from '../../fix-views.js';
import { ApiProblem } from '../lib/api.js';
import { countOf } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { Copyable } from '../parts/copyable.js';
import { Text } from '../parts/text.js';

interface WorkProps {
  readonly verb: WorkVerb;
  readonly path?: string;
  readonly button: string;
}

/** Button that lets the server import or count records, and says how it went. */
export function WorkButton({ verb, path, button }: WorkProps) {
  const { client, state, say } = usePage();
  const [isBusy, setBusy] = useState(false);
  const work = async () => {
    setBusy(true);
    try {
      const request = { verb, by: state.status?.user ?? 'page', ...(path !== undefined && { path }) };
      await client.api.decide(request, state.status?.csrf ?? '');
      await client.start();
      client.shelf.refreshAll();
      say('Done: the records are counted.');
    } catch (error) {
      say(error instanceof ApiProblem ? error.problem.message : 'It could not be done. Try again.');
    } finally {
      setBusy(false);
    }
  };
  if (!state.status?.decisions.allowed) return null;
  return (
    <button type="button" class="primary" disabled={isBusy} onClick={work}>
      {isBusy ? 'Reading…' : button}
    </button>
  );
}

/** First step for a store without records: transcripts that are on the machine already. */
export function FirstRun() {
  const found = usePage().state.status?.transcripts ?? [];
  return (
    <div class="empty">
      <p>
        No task is recorded yet. {found.length > 0 ? 'Sessions that you already have show what fails: ' : ''}
        {found.length > 0 ? 'importing reads them on this machine, and sends nothing anywhere.' : ''}
      </p>
      {found.map(({ agent, path, files }) => (
        <div key={path} class="row">
          <WorkButton verb="import" path={path} button={`Import ${countOf(files, 'session')} of ${agent}`} />
          <span class="dim">
            <Text value={path} />
          </span>
        </div>
      ))}
      <p>For what your agent does from now on, attach the loop to it:</p>
      <Copyable command="npx rsi install" />
    </div>
  );
}
