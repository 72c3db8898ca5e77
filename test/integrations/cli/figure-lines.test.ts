import type { Explanation, Fix, PolicyChange, TrialFigures } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { figureLines } from '../../../integrations/cli/fixes/figures.js';
import { renderFixes } from '../../../integrations/cli/fixes/list.js';
import { sideTexts } from '../../../integrations/dashboard/page/lib/sentences.js';
import { settingsInWords } from '../../../src/fix/kinds/setting-words.js';

const arm = (units: number, failures: number) => ({ units, tasks: units, failures });
const AFTERWARDS = { fix: arm(900, 90), control: arm(100, 16), effect: { value: 0.62, low: 0.31, high: 1.24 } };
const FIGURES: TrialFigures = {
  ...{ fix: arm(60, 3), control: arm(60, 15), effect: { value: 0.2, low: 0.05, high: 0.9 } },
  ...{ eHelp: 45, eHarm: 0.01, eNone: 0.01, needed: 40, guards: [] },
};
const look = { width: 100, paint: (_: unknown, text: string) => text, next: (words: string) => words };

function confirmed(unit: 'task' | 'session'): Fix {
  const fix = {
    ...{ id: 'fix-1', task: 'ask', issue: 'network', status: 'confirmed', forecast: { kind: 'untestable' } },
    decision: { kind: 'approved', by: 'ann', atMs: 0 },
    change: {
      kind: 'policy',
      set: { 'retries.network': 2 },
      undo: {},
      scope: { task: 'ask', except: [{ model: 'b' }, { model: 'c' }] },
    },
    trial: { phase: 'holdout', unit },
    verdict: { kind: 'confirmed', atMs: 0, figures: FIGURES },
  };
  return fix as unknown as Fix; // what is shown of a fix is all that it has here
}

const description = { title: 'two retries', undo: 'none', inForce: '', rolledBack: '', needsPerson: false };

describe('figures of a confirmed fix', () => {
  for (const unit of ['task', 'session'] as const) {
    it(`say by how much failures fell since the confirmation, for trials of ${unit}s`, () => {
      const figures = { ...FIGURES, eAlarm: 0.5, afterwards: AFTERWARDS };
      const explanation: Explanation = { fix: confirmed(unit), description, history: [], lessons: [], figures };
      const text = figureLines(explanation, look, true).join('\n');
      expect(text).toContain('ratio 0.20');
      expect(text.replace(/\s+/g, ' ')).toContain(
        'since 0.62 the same ratio since it was confirmed, between 0.31 and 1.2: 90 % of 900 tasks succeeded with it, 84 % of 100 without',
      );
    });
  }

  it('say on the page and on the command line alike how all tasks and later tasks fare', () => {
    const byShare = [
      { share: 0.1, tasks: 900, failures: 180 },
      { share: 0.9, tasks: 1_100, failures: 231 },
    ];
    const later = { fix: { tasks: 400, failures: 100 }, control: { tasks: 0, failures: 0 } };
    const explanation: Explanation = {
      ...{ fix: { ...confirmed('task'), verdict: undefined, trial: undefined } as unknown as Fix, description },
      ...{ history: [], lessons: [], figures: { ...FIGURES, byShare, later } },
    };
    const onPage = sideTexts({ ...FIGURES, byShare, later }).map((text) => text.replaceAll('\u00a0', ' '));
    expect(onPage).toEqual([
      'Failures of all tasks, with and without it: 20 % of 900 while 10 % had the fix, 21 % of 1,100 while 90 % had the fix.',
      'Failures of later tasks of a session: 25 % of 400 after a task with the fix, none after one without.',
    ]);
    const typed = figureLines(explanation, look, true).join('\n').replace(/\s+/g, ' ');
    expect(typed).toContain('all tasks failures of all tasks, with and without it: 20 % of 900 while 10 % had the fix');
    expect(typed).toContain(
      'later failures of later tasks of a session: 25 % of 400 after a task with the fix, none after',
    );
    expect(sideTexts(FIGURES)).toEqual([]);
  });

  it('say of each model how both arms fare and how near its guard is to leaving it out', () => {
    const kind = (model: string, eHarm: number, isExcluded: boolean) => ({
      ...{ scope: { model }, fix: arm(30, 1), control: arm(30, 8), guard: { eHarm, needed: 40, isExcluded } },
    });
    const figures = { ...FIGURES, kinds: [kind('haiku', 0.3, false), kind('opus', 55, true)] };
    const explanation: Explanation = { fix: confirmed('task'), description, history: [], lessons: [], figures };
    const fix = { ...explanation.fix, trial: undefined, verdict: undefined } as unknown as Fix;
    const text = figureLines({ ...explanation, fix }, look, false)
      .join('\n')
      .replace(/ +/g, ' ');
    expect(text).toContain('model haiku 1 of 30 8 of 30 harm 0.30 of 40');
    expect(text).toContain('model opus 1 of 30 8 of 30 left out of the fix');
  });

  it('stand in the list beside the proof, with the models that were left out', () => {
    const fix = confirmed('session'); // a change of settings
    const fixes = [
      {
        ...fix,
        description: { ...description, title: settingsInWords(fix.change as PolicyChange) },
        figures: null,
        afterwards: AFTERWARDS,
        ended: null,
      },
    ];
    const text = renderFixes({ format: 'rsi-fixes/1', frozen: null, fixes }, look).replace(/\s+/g, ' ');
    expect(text).toContain('is proven to help: 95 % of 60 tasks succeeded with it, 75 % of 60 without');
    expect(text).toContain('since then: 90 % of 900 tasks succeeded with it, 84 % of 100 without');
    expect(text).toContain('up to 2 more attempts after network, but not where model is b or model is c');
  });

  it('name the place of a change and what is left out of it', () => {
    const scope = { task: 'ask', tool: 'http', except: [{ model: 'b', tool: 'http' }] };
    const settings: PolicyChange = { kind: 'policy', set: { 'retries.network': 1 }, undo: {}, scope };
    expect(settingsInWords(settings)).toBe(
      '1 more attempt after network, where tool is http, but not where model is b and tool is http',
    );
  });
});
