import { useEffect, useRef, useState } from 'preact/hooks';
import type { TrialsView } from '../../fix-views.js';
import { ApiProblem } from '../lib/api.js';
import { keepChoice, keptChoice } from '../lib/kept-choice.js';
import { type Intent, usePage } from '../lib/page-context.js';
import { armsText, progressText } from '../lib/sentences.js';
import { useView } from '../lib/use-view.js';
import { State } from '../parts/state.js';
import { Text } from '../parts/text.js';
import { undoOf, VERBS } from './verbs.js';

interface DecisionDialogProps {
  readonly intent: Intent;
  readonly close: () => void;
}

/** Says what a decision does, asks who decides and why, and sends it. Offers to undo it where that is possible. */
export function DecisionDialog({ intent, close }: DecisionDialogProps) {
  const { client, state } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  const [done, setDone] = useState<{ readonly undo: Intent | undefined }>();
  const [own, setOwn] = useState(intent);
  const { verb } = own;
  useEffect(() => dialog.current?.showModal(), []);

  const leave = () => {
    close();
    // The button that opened it may be gone with the decision.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus();
    });
  };

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(form instanceof HTMLFormElement) || isSending) return;
    const fields = new FormData(form);
    const by = String(fields.get('by') ?? '').trim();
    const reason = String(fields.get('reason') ?? '').trim();
    keepChoice('by', by);
    setSending(true);
    setProblem('');
    try {
      const to = String(fields.get('to') ?? '').trim();
      const request = { ...idsOf(own), verb, by, ...(reason !== '' && { reason }), ...(to !== '' && { to }) };
      const answer = await client.api.decide(request, state.status?.csrf ?? '');
      client.shelf.refreshAll();
      setDone({ undo: undoOf(own, answer.fix) });
    } catch (error) {
      setProblem(error instanceof ApiProblem ? error.problem.message : 'The decision could not be sent. Try again.');
    } finally {
      setSending(false);
    }
  };

  return (
    <dialog ref={dialog} onClose={leave} aria-labelledby="decision-title">
      {done ? (
        <Done
          verb={verb}
          undo={done.undo}
          take={(next) => {
            setDone(undefined);
            setOwn(next);
          }}
          close={() => dialog.current?.close()}
        />
      ) : (
        <form class="decision" onSubmit={submit} key={verb}>
          <Question intent={own} />
          <Fields verb={verb} by={keptChoice('by') ?? state.status?.user ?? ''} />
          <p class="field-problem" role="alert">
            {problem}
          </p>
          <div class="row">
            <button type="submit" class={VERBS[verb].isDangerous ? 'primary danger' : 'primary'} disabled={isSending}>
              {VERBS[verb].button}
            </button>
            <button type="button" onClick={() => dialog.current?.close()}>
              {VERBS[verb].dismiss ?? 'Cancel'}
            </button>
          </div>
        </form>
      )}
    </dialog>
  );
}

function idsOf({ fix, run, pattern, version }: Intent) {
  const taskId = run?.task;
  return {
    ...(pattern && { patternId: pattern.id }),
    ...(version && { versionId: version.id }),
    ...(fix && { fixId: fix.id }),
    ...(run && { runId: run.id }),
    ...(taskId !== undefined && { taskId }),
  };
}

function Question({ intent: { verb, fix, run, pattern, version } }: { readonly intent: Intent }) {
  const { title, effect } = VERBS[verb];
  const subject = fix?.title ?? pattern?.title ?? version?.name ?? run?.task ?? run?.id;
  return (
    <>
      <h2 id="decision-title">{title}</h2>
      {subject === undefined ? null : (
        <p class="decision-fix">
          <Text value={subject} limit={300} />
        </p>
      )}
      <p>{effect}</p>
      {verb === 'freeze' ? <StoppedTrials /> : null}
    </>
  );
}

/** Names every trial that ends, with its evidence. */
function StoppedTrials() {
  const { data } = useView('trials', 'trials');
  // The shelf keeps what the server sent under this path.
  const running = (data as TrialsView | undefined)?.trials.filter(({ phase, ended, verdict }) => {
    return phase !== 'ended' && !ended && !verdict;
  });
  if (!running) return null;
  if (running.length === 0) return <p>No trial runs now.</p>;
  return (
    <ul class="list">
      {running.map(({ fix, figures }) => (
        <li key={fix.id}>
          <Text value={fix.title} limit={120} /> for <Text value={fix.task} limit={60} />:{' '}
          {figures ? `${armsText(figures.inScope ?? figures)}, ${progressText(figures)}` : 'no task yet'}
        </li>
      ))}
    </ul>
  );
}

function Fields({ verb, by }: { readonly verb: Intent['verb']; readonly by: string }) {
  const { reason, keeper = 'ledger' } = VERBS[verb];
  return (
    <>
      {verb === 'assign' ? (
        <>
          <label for="decision-to">Name; empty for no one</label>
          <input id="decision-to" name="to" maxLength={100} autocomplete="off" />
        </>
      ) : null}
      <label for="decision-by">Who decides? The {keeper} keeps this name.</label>
      <input id="decision-by" name="by" required maxLength={100} defaultValue={by} autocomplete="name" />
      <label for="decision-reason">
        {verb === 'comment' ? 'Comment' : reason === 'required' ? 'Why?' : 'Why? (optional)'}
      </label>
      <textarea id="decision-reason" name="reason" rows={2} maxLength={1_000} required={reason === 'required'} />
    </>
  );
}

interface DoneProps {
  readonly verb: Intent['verb'];
  readonly undo: Intent | undefined;
  readonly take: (undo: Intent) => void;
  readonly close: () => void;
}

function Done({ verb, undo, take, close }: DoneProps) {
  const { done, keeper = 'ledger' } = VERBS[verb];
  return (
    <div class="decision" role="status">
      <h2 id="decision-title">
        <State tone="confirmed" word={done} />
      </h2>
      <p>The {keeper} keeps who decided and when.</p>
      <div class="row">
        <button type="button" class="primary" onClick={close}>
          Close
        </button>
        {undo ? (
          <button type="button" onClick={() => take(undo)}>
            Undo: {VERBS[undo.verb].button.toLowerCase()}
          </button>
        ) : null}
      </div>
    </div>
  );
}
