import type { Comparison, Variant } from 'rsi-loop/bench';
import { describe, expect, it } from 'vitest';
import type { StepBody } from '../../../integrations/improve/improvement-step.js';
import { type ImprovementStep, improvementOf } from '../../../integrations/improve/index.js';
import { draftOf, plannedProposals, plannedVersions } from '../../../integrations/improve/search.js';
import { type ScoredVersion, versionId } from '../../../integrations/improve/version.js';
import { seededRandom } from '../../../src/lib/random.js';

const START: Variant = { prompts: { system: 'Solve.' } };
const spent = { runs: 0, usd: 0, tokens: 0, minutes: 0 };

/** An improvement in which each text after the start was proposed for the one before `>`, and scored in 400 runs. */
function improvement(scores: Readonly<Record<string, number>>, ...more: readonly StepBody[]) {
  const versions = new Map<string, ScoredVersion>();
  const bodies: StepBody[] = [
    { kind: 'started', suite: 's', problems: { open: 1, heldOut: 1 }, start: START, rounds: 1, budget: {} },
  ];
  for (const [path, score] of Object.entries({ 'Solve.': 0.5, ...scores })) {
    const [text = '', before] = path.split(' > ').reverse();
    const parent = before === undefined ? undefined : versions.get(before);
    const variant = { prompts: { system: text } };
    const [proposal] = parent ? plannedProposals(parent.variant, [{ variant, hypothesis: text }]) : [];
    const parts = [...(parent?.parts ?? []), ...(proposal ? [proposal.part] : [])];
    const id = versionId(variant);
    const version = { id, parents: parent ? [parent.id] : [], round: 1, variant, parts, score, runs: 400 };
    versions.set(text, version);
    const tried =
      proposal && parent ? [{ ...proposal, round: 1, parent: parent.id, version: id, score, isChosen: false }] : [];
    bodies.push({ kind: 'scored', round: 1, tried, versions: [version] });
  }
  const steps: readonly ImprovementStep[] = [...bodies, ...more].map((body, atMs) => ({ ...body, atMs, spent }));
  return improvementOf(steps);
}

const textOf = ({ variant }: { readonly variant: Variant }) => variant.prompts?.system;
const idOf = (system: string) => versionId({ prompts: { system } });

describe('the draft', () => {
  it('has every change that helps, and no other', () => {
    const scores = { 'Solve. > Solve. Check.': 0.6, 'Solve. > Solve. Hurry.': 0.4, 'Solve. > Solve. Cite.': 0.58 };
    const { variant, parents, parts } = draftOf(improvement(scores));
    expect(textOf({ variant })).toBe('Solve. Check. Cite.');
    expect(parts).toHaveLength(2);
    expect(parents).toEqual([idOf('Solve.'), idOf('Solve. Check.'), idOf('Solve. Cite.')]);
    expect(textOf(draftOf(improvement({ 'Solve. > Solve. Hurry.': 0.4 })))).toBe('Solve.');
  });

  it('takes the best of several alternatives with what was built on it, even if its first step helps less', () => {
    const scores = {
      'Solve. > Solve fast.': 0.58,
      'Solve. > Solve well.': 0.56,
      'Solve well. > Solve very well.': 0.7,
    };
    expect(textOf(draftOf(improvement(scores)))).toBe('Solve very well.');
  });

  it('leaves out a change that failed on the held-out half, however well it scores on the open one', () => {
    const scores = { 'Solve. > Solve. Memorised.': 1, 'Solve. > Solve. Check.': 0.6 };
    const comparison = {
      evidence: { pairs: 100 },
      gain: { value: -0.05, low: -0.2, high: 0.1 },
    } as unknown as Comparison; // the rest does not matter
    const [version, baseline] = [idOf('Solve. Memorised.'), idOf('Solve.')];
    const failed = { kind: 'decided', round: 1, draft: {}, version, baseline, comparison, isKept: false } as const;
    expect(textOf(draftOf(improvement(scores)))).toContain('Memorised.');
    expect(textOf(draftOf(improvement(scores, failed)))).toBe('Solve. Check.');
  });

  it('contains no version that a person rejected', () => {
    const scores = { 'Solve. > Solve. Check.': 0.6, 'Solve. > Solve. Cite.': 0.58, 'Solve. > Solve. Plan.': 0.65 };
    const rejected = (system: string) => ({ kind: 'rejected', version: idOf(system), by: 'ada' }) as const;
    expect(textOf(draftOf(improvement(scores, rejected('Solve. Plan.'))))).toBe('Solve. Check. Cite.');
    const both = { ...scores, 'Solve. Check. > Solve. Check. Plan.': 0.7 };
    expect(textOf(draftOf(improvement(both, rejected('Solve. Check. Plan.'))))).toBe('Solve. Cite. Plan.');
  });
});

describe('the versions of a step', () => {
  const tried = improvement({ 'Solve. > Solve. Check.': 0.6, 'Solve. > Solve. Hurry.': 0.3 });
  const [root] = tried.archive;
  const proposals = plannedProposals(START, [
    { variant: { name: 'plan', prompts: { system: 'Solve. Plan.' } }, hypothesis: 'plans help' },
    { variant: { name: 'again', prompts: { system: 'Solve. Plan.' } }, hypothesis: 'the same' },
    { variant: { name: 'other', prompts: { system: 'Win.' } }, hypothesis: 'it conflicts' },
  ]);
  const planned = (seed: number) => (root ? plannedVersions(tried, root, proposals, seededRandom(seed)) : []);

  it('have their candidate for certain, mostly what helps, and seldom what harms', () => {
    const texts = Array.from({ length: 50 }, (_, seed) => planned(seed)).map((versions) => versions.map(textOf));
    expect(texts.every(([first, second]) => first?.includes('Plan.') && second?.includes('Plan.'))).toBe(true);
    expect(texts.every(([, , third]) => third?.includes('Win.'))).toBe(true);
    expect(texts.filter(([first]) => first?.includes('Check.')).length).toBeGreaterThan(40);
    expect(texts.filter(([first]) => first?.includes('Hurry.')).length).toBeLessThan(10);
  });

  it('are the same for the same seed, and name their parents', () => {
    expect(planned(3)).toEqual(planned(3));
    const [first] = planned(3);
    expect(first?.parents[0]).toBe(root?.id);
    expect(first?.variant.name).toMatch(/^plan/);
  });
});
