import type { FieldProblem, OpenTask, OutcomeId } from 'rsi-loop';
import { Problem } from '../../http/http-problem.js';
import { senderOf } from '../../http/rate-limit.js';
import { markOf } from './ingest.js';
import { idempotencyKey, oneAnswer } from './observe.js';
import type { BeginBody } from './open-tasks.js';
import { checkHeld, type GivenPrompt, promptsFor } from './prompts.js';
import { BEGIN, BEGUN, END, ID_PARAMS, RECEIVED } from './schemas.js';
import { JSON_TYPE, type Route, type Service } from './service.js';

/** Response to a sender that begins a task. */
export interface BegunBody extends Pick<OpenTask, 'id' | 'policy' | 'advice' | 'arms' | 'mayRepeat'> {
  readonly task: string;
  /** Named texts for the task, if the program named those that it holds. */
  readonly prompts?: Readonly<Record<string, GivenPrompt>>;
}

/** Routes `POST /tasks` and `POST /tasks/:id/end`: `loop.begin` for agents in any language. */
export function taskRoutes(service: Service): readonly Route[] {
  return [beginRoute(service), endRoute(service)];
}

function beginRoute({ loop, ingest, tasks, settings, texts }: Service): Route {
  return {
    method: 'POST',
    url: '/tasks',
    summary: 'Begin a task: gives its id, settings, advice and arms',
    body: { [JSON_TYPE]: BEGIN },
    answers: { status: 201, description: 'The task has begun.', content: { [JSON_TYPE]: BEGUN } },
    handler: async ({ raw, body }) => {
      ingest.mustKeepUp();
      const sent = body as BeginBody; // as the schema says
      const id = sent.id ?? idempotencyKey(raw);
      const mark = markOf(sent);
      if (mark === undefined) throw new Problem(400, 'the body is nested too deeply', { field: '(body)' });
      checkHeld(texts, sent.prompts);
      // Before the loop is ready, it would not draw an arm.
      await loop.ready();
      const named = { ...sent, ...(id !== undefined && { id }) };
      // A repeated request gets the same arms.
      const open =
        begunBefore({ ingest, tasks }, id, mark) ??
        tasks.begin(named, { mark, sender: senderOf(raw.socket.remoteAddress) });
      if (open === undefined) {
        const detail = `too many tasks are open (at most ${settings.limits.openTasks}, and half of them of one sender): end those that are done`;
        throw new Problem(429, detail, { retryAfterS: 10 });
      }
      // A trial counts a task only if its beginning was stored before its work began.
      if (open.arms.length > 0) await ingest.safe();
      const { id: begunId, policy, advice, arms, mayRepeat } = open;
      const prompts = sent.prompts && { prompts: promptsFor(open, sent.prompts) };
      const begun = { id: begunId, task: tasks.get(begunId)?.record.task ?? '', policy, advice, ...prompts, arms };
      return (mayRepeat === undefined ? begun : { ...begun, mayRepeat }) satisfies BegunBody;
    },
  };
}

/**
 * Returns the open task of this id if the same request began it.
 * @throws Problem 409 if the id was used for something else.
 */
function begunBefore(
  { ingest, tasks }: Pick<Service, 'ingest' | 'tasks'>,
  id: string | undefined,
  mark: number,
): OpenTask | undefined {
  if (id === undefined) return undefined;
  const before = tasks.get(id);
  const isUsed = ingest.knows(id) || (before !== undefined && before.mark !== mark);
  if (!isUsed) return before?.open;
  const detail = `the id ${JSON.stringify(id)} was used before: begin each task under a new id`;
  throw new Problem(409, detail, { field: 'id' });
}

function endRoute({ loop, ingest, tasks }: Service): Route {
  return {
    method: 'POST',
    url: '/tasks/:id/end',
    summary: 'Say how a task ended; answered when the record is safe',
    params: ID_PARAMS,
    body: { [JSON_TYPE]: END },
    answers: { status: 201, description: 'The record is safe.', content: { [JSON_TYPE]: RECEIVED } },
    handler: async ({ raw, params: { id = '' }, body }) => {
      ingest.mustKeepUp();
      const sent = body as Readonly<Record<string, unknown>>; // as the schema says
      const begunBy = tasks.get(id)?.sender;
      if (begunBy !== undefined && begunBy !== senderOf(raw.socket.remoteAddress)) throw foreign();
      const isOpen = tasks.get(id) !== undefined;
      if (!isOpen && loop.observer.isBegun(id as OutcomeId)) throw foreign();
      const received = ingest.end(id as OutcomeId, sent); // an outcome's id is any text
      if (received.kind === 'refused' && !isOpen && lacksTask(received.problems)) throw unknown(id);
      const answer = oneAnswer(received);
      await ingest.safe();
      return answer;
    },
  };
}

function foreign(): Problem {
  return new Problem(403, 'another sender began this task, and it alone ends it', { field: 'id' });
}

function lacksTask(problems: readonly FieldProblem[]): boolean {
  return problems.some(({ field, value }) => field === 'task' && value === 'undefined');
}

function unknown(id: string): Problem {
  const detail = `no task ${JSON.stringify(id)} was begun here, or it ended long ago: name its "task", and it is recorded under this id`;
  return new Problem(404, detail, { field: 'id' });
}
