import { resolve } from 'node:path';
import { describeFix, exportOutcomes, LoopError, type Outcome, type RSILoop, type RSILoopOptions } from 'rsi-loop';
import { BenchHistory } from 'rsi-loop/bench';
import { textsIn } from 'rsi-loop/prompts';
import type { Grants } from '../../mcp/grants.js';
import type { LoopDecisions, LoopDocuments } from '../../mcp/serve-loop.js';
import { followedOf } from '../../reports/followed.js';
import { fixesToReview, reviewOf } from '../../reports/review.js';
import { readStatus } from '../../reports/status.js';
import { readStudies } from '../../reports/studies.js';
import { EXIT } from '../exit.js';
import { findFix } from '../fixes/find-fix.js';
import { listPatterns } from '../patterns/list.js';
import { placesOf } from '../patterns/places.js';
import { whenRebuilt, withLoop, withStore } from '../store/open-loop.js';
import { nextCommand } from '../terminal/look.js';
import { recentlyWorse } from '../worse/recently-worse.js';

/** Folder of a loop, and how it is opened. */
export interface LoopPlace {
  readonly store: string;
  /** Folder with the records of benchmarks. */
  readonly runs: string;
  readonly options: Omit<RSILoopOptions, 'store'>;
}

/** Most calls of a session that an agent gets: the newest ones. */
const MAX_CALLS = 300;
const MAX_BENCHMARKS = 20;

/** Documents of the loop in a folder. Each call opens the loop again, so that it shows what other processes wrote. */
export function loopDocuments({ store, runs, options }: LoopPlace): LoopDocuments {
  const next = nextCommand(store);
  const read = <Result>(work: (loop: RSILoop, problems: readonly string[]) => Result | Promise<Result>) =>
    withLoop(
      store,
      'read',
      async (loop, problems) => {
        await whenRebuilt(loop);
        return work(loop, problems);
      },
      options,
    );
  return {
    status: () =>
      read(async (loop, problems) =>
        readStatus(loop, {
          problems,
          studies: await readStudies(resolve(store)),
          worse: recentlyWorse(resolve(store), Date.now()),
        }),
      ),
    review: () => read((loop) => reviewOf(loop, fixesToReview(loop))),
    patterns: (of) => read((loop) => listPatterns(loop, of)),
    explain: (id) =>
      read(async (loop) => {
        const explanation = loop.explain(findFix(loop, id, next).id);
        const { pattern } = explanation;
        const places = pattern ? ((await placesOf(loop, [pattern])).get(pattern.id) ?? []) : [];
        const followed = (await followedOf(loop, [explanation.fix])).get(explanation.fix.id);
        return { ...explanation, places, ...(followed && { followed }) };
      }),
    session: (id) => sessionDocument(store, id),
    studies: async () => ({ studies: await readStudies(resolve(store)) }),
    benchmarks: async () => {
      const history = new BenchHistory(runs);
      try {
        return { benchmarks: (await history.list()).toReversed().slice(0, MAX_BENCHMARKS) };
      } finally {
        await history.close();
      }
    },
  };
}

/** Decisions about the loop in a folder. `session` names this server in the ledger. */
export function loopDecisions({ store, options }: LoopPlace, grants: Grants, session: string): LoopDecisions {
  const decide = <Result>(work: (loop: RSILoop) => Promise<Result>) =>
    withLoop(
      store,
      'decide',
      async (loop) => {
        await whenRebuilt(loop);
        return work(loop);
      },
      options,
    );
  return {
    propose: ({ name, text, reason }) =>
      decide(async (loop) => {
        textsIn(loop);
        const { id, status } = await loop.tryPrompt(name, text, { by: `${PROPOSER}${session}`, reason });
        return { id, status, next: `a person decides: ${nextCommand(store)(`review`)}` };
      }),
    decide: (verb, given, code, reason) =>
      decide(async (loop) => {
        const { id } = findFix(loop, given, nextCommand(store));
        if (verb === 'approve' && isProposedByAgent(loop, id))
          throw new LoopError(
            'illegal-step',
            `an agent proposed ${id}: only "${nextCommand(store)(`approve ${id}`)}" approves it`,
          );
        const by = grants.use(code, { verb, fixId: id }, Date.now());
        const fix = await loop[verb](id, { by, reason });
        return { id, status: fix.status, title: describeFix(loop, fix).title, by };
      }),
  };
}

/** Beginning of the name under which agents propose. */
const PROPOSER = 'agent over MCP, ';

function isProposedByAgent(loop: RSILoop, id: string): boolean {
  return loop.explain(id).history.some((entry) => 'by' in entry && String(entry.by).startsWith(PROPOSER));
}

async function sessionDocument(store: string, id: string): Promise<object> {
  const calls: Outcome[] = [];
  let omitted = 0;
  await withStore(store, async (opened) => {
    for await (const outcome of exportOutcomes({ store: opened })) {
      if (outcome.session !== id) continue;
      calls.push(outcome);
      if (calls.length > MAX_CALLS) omitted += calls.splice(0, 1).length;
    }
    return EXIT.done;
  });
  if (calls.length === 0) throw new LoopError('invalid-input', `no session ${JSON.stringify(id)}: patterns names some`);
  const failed = calls.filter(({ success }) => !success).length;
  return { session: id, calls: calls.map(callOf), shown: calls.length, failed, omitted };
}

function callOf({ atMs, task, tool, model, success, issues, error, durationMs }: Outcome): object {
  return { atMs, task, tool, model, success, ...(success ? {} : { issues, error: error?.message }), durationMs };
}
