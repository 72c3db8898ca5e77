import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { Suite } from 'rsi-loop/bench';
import { FileLog, type ImprovementStep, iterate, readApproved } from 'rsi-loop/improve';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { benchFolder } from '../../../../integrations/dashboard/data/bench-source.js';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';
import { VERBS } from '../../../../integrations/dashboard/page/decide/verbs.js';

const CENTS = { prompts: { system: 'with cents' } };
const suite = new Suite('amounts', {
  problems: Array.from({ length: 12 }, (_, index) => ({
    ...{ id: `invoice ${index}`, input: index },
    split: index % 2 === 0 ? ('open' as const) : ('held-out' as const),
  })),
  run: ({ input }, { prompts }) => Number(prompts.system?.includes('cents') ?? Number(input) % 4 < 2),
  score: Number,
  clock: new ManualClock(1_000),
});

let home: string;
let file: string;
let loop: RSILoop;
let data: DashboardData;
let versionId: string;

/** A server whose results are in a folder of its own, with one version of the agent that waits for a decision. */
beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'rsi-version-dialogs-')));
  file = join(home, 'rsi.approved.json');
  const folder = join(home, 'results');
  const log = new FileLog<ImprovementStep>(folder);
  const propose = () => [{ variant: { name: 'cents', ...CENTS }, hypothesis: 'cents are missing', expectedGain: 0.4 }];
  await iterate(suite, { propose, rounds: 1, draftSteps: 1, log });
  await log.close();
  loop = new RSILoop();
  data = new DashboardData({ loop, store: 'memory', bench: benchFolder(folder) });
  versionId = (await row())?.waiting?.version ?? '';
});
afterEach(async () => {
  await data.close();
  await loop.close();
  rmSync(home, { recursive: true, force: true });
});

const row = async () => (await data.view('benchmarks'))?.improvements[0];
const waits = async () => [(await row())?.waiting, (await data.view('status'))?.versionsWaiting];

/** Decides as in a server that was started in the folder of the agent. */
async function decide(verb: 'approve-version' | 'reject-version'): Promise<void> {
  const before = process.cwd();
  process.chdir(home);
  try {
    await data.decide({ verb, versionId, by: 'ada', reason: 'measured' });
  } finally {
    process.chdir(before);
  }
}
const recorded = async () => (await data.view('improvement', { id: (await row())?.id }))?.version?.decision;

describe('what a dialog says becomes true', () => {
  it('of Approve a version: it is in the file, and the agent has it when it loads that file', async () => {
    expect(VERBS['approve-version'].effect).toBe(
      'It is written to rsi.approved.json in the folder of this server. The agent has it when it loads that file.',
    );
    await decide('approve-version');
    expect(readApproved(file)).toMatchObject({ version: versionId, by: 'ada', ...CENTS });
    expect(await waits()).toEqual([undefined, 0]);
    expect(await recorded()).toMatchObject({ kind: 'approved', by: 'ada', reason: 'measured' });
  });

  it('of Reject a version: it waits no longer, the agent stays as it is, and a later decision replaces this one', async () => {
    expect(VERBS['reject-version'].effect).toBe(
      'It waits no longer, and the agent stays as it is. A later decision replaces this one.',
    );
    expect(await waits()).toEqual([{ version: versionId, changesFiles: false }, 1]);
    await decide('reject-version');
    expect(await waits()).toEqual([undefined, 0]);
    expect(existsSync(file)).toBe(false);
    expect(await recorded()).toMatchObject({ kind: 'rejected', by: 'ada', reason: 'measured' });
    await decide('approve-version');
    expect(await recorded()).toMatchObject({ kind: 'approved' });
    const approved = readApproved(file);
    await decide('reject-version');
    expect(await recorded()).toMatchObject({ kind: 'rejected' });
    expect(readApproved(file)).toEqual(approved);
  });
});
