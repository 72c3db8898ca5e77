import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Comparison } from 'rsi-loop/bench';
import { afterAll, describe, expect, it } from 'vitest';
import type { StepBody } from '../../../integrations/improve/improvement-step.js';
import { FileLog, type ImprovementStep, improvementOf } from '../../../integrations/improve/index.js';
import { type Version, versionId } from '../../../integrations/improve/version.js';

const spent = { runs: 0, usd: 0, tokens: 0, minutes: 0 };
const steps = (...bodies: readonly StepBody[]): readonly ImprovementStep[] =>
  bodies.map((body, atMs) => ({ ...body, atMs, spent }));

const [first, second] = ['one', 'two'].map((system) => ({ prompts: { system } }));
const version = (variant: Version['variant'], round: number): Version => ({
  id: versionId(variant),
  parents: [],
  round,
  variant,
  parts: [],
  hypotheses: [],
  score: 0.5,
  runs: 10,
  isKept: false,
});
const round = (number: number, draft: Version['variant'] = {}): readonly StepBody[] => [
  { kind: 'scored', round: number, tried: [], versions: [version(draft, number)] },
  {
    kind: 'decided',
    round: number,
    draft,
    version: versionId(draft),
    baseline: versionId({}),
    isKept: true,
    comparison: { kind: 'better', why: 'mean' } as unknown as Comparison, // the figures do not matter
  },
];
const rejected = (variant: Version['variant'] = {}): StepBody => ({
  kind: 'rejected',
  version: versionId(variant),
  by: 'ada',
  reason: 'too long',
});

describe('decisions about versions', () => {
  it('are part of the archive, with actor, time and reason, and leave the end of the improvement', () => {
    const { archive, best, ended } = improvementOf(
      steps(
        ...round(1, first),
        { kind: 'ended', why: 'rounds' },
        { kind: 'approved', version: versionId(first ?? {}), by: 'ada' },
      ),
    );
    expect(archive[0]?.decision).toEqual({ kind: 'approved', by: 'ada', atMs: 3 });
    expect({ best, ended }).toEqual({ best: first, ended: 'rounds' });
  });

  it('make the next round continue from the version before a rejected one', () => {
    const { best } = improvementOf(steps(...round(1, first), ...round(2, second), rejected(second)));
    expect(best).toEqual(first);
    expect(improvementOf(steps(...round(1, first), rejected(first))).best).toEqual({});
  });

  it('do not change a comparison in progress', () => {
    const [draft, baseline] = [version(second ?? {}, 2), versionId(first ?? {})];
    const drafted: StepBody = { kind: 'drafted', round: 2, version: draft, baseline, alpha: 0.05 };
    const { current, best } = improvementOf(steps(...round(1, first), drafted, rejected(first)));
    expect(current.drafted).toMatchObject({ baseline, version: { variant: second } });
    expect(best).toEqual({});
  });
});

describe('the log in a folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-log-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('lists its improvements', async () => {
    const log = new FileLog(folder);
    await log.add('b2', { kind: 'resumed' });
    await log.add('a1', { kind: 'resumed' });
    await log.close();
    expect(await log.list()).toEqual(['a1', 'b2']);
    expect(await new FileLog(join(folder, 'none')).list()).toEqual([]);
  });
});
