import { describeFix, type RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsFor } from '../../../integrations/cli/fixes/find-fix.js';
import { listFixes, renderFixes } from '../../../integrations/cli/fixes/list.js';
import { renderReview } from '../../../integrations/cli/fixes/render-review.js';
import { listPatterns, renderPatterns } from '../../../integrations/cli/patterns/list.js';
import { renderStatus } from '../../../integrations/cli/status/render-status.js';
import { topLines } from '../../../integrations/cli/top/lines.js';
import { DashboardData } from '../../../integrations/dashboard/data/dashboard-data.js';
import * as page from '../../../integrations/dashboard/page/lib/sentences.js';
import { digestOf } from '../../../integrations/notify/digest.js';
import { newMatters, type View } from '../../../integrations/notify/matters.js';
import { messagesOf } from '../../../integrations/notify/wording.js';
import { fixesToReview, reviewOf } from '../../../integrations/reports/review.js';
import { readStatus } from '../../../integrations/reports/status.js';
import { waitingOf } from '../../../integrations/reports/waiting.js';
import { healthWords } from '../../../integrations/reports/words/sentences.js';
import { openStores } from './stores.js';

const look = { width: 400, paint: (_: unknown, text: string) => text, next: (words: string) => words };
/** Page and alerts replace some characters; what they say must be the same. */
const same = (text: string) => text.replaceAll(/[\u00a0\u2068\u2069]/g, ' ').replaceAll('\u2215', '/');
const sorted = (ids: readonly string[]) => [...ids].sort();

/** Everything that the doors say about one store. */
async function ask(loop: RSILoop) {
  const clock = new ManualClock(Date.UTC(2026, 0, 8));
  const data = new DashboardData({ loop, store: 'memory', clock });
  const [review, status, overview, trials] = [
    await data.view('review'),
    await data.view('status'),
    await data.view('overview'),
    await data.view('trials'),
  ];
  if (!review || !status || !overview || !trials) throw new Error('the page has no data');
  const view: View = {
    ...{ nowMs: clock.now(), patterns: loop.patterns(), fixes: loop.fixes(), bursts: [], health: loop.health() },
    describe: (fix) => describeFix(loop, fix),
  };
  const rules = { alerts: new Set(['proposal', 'verdict', 'new-pattern'] as const) };
  const { matters } = newMatters(view, {}, rules);
  const document = await readStatus(loop, { problems: [] });
  const reviewed = await reviewOf(loop, fixesToReview(loop));
  return {
    loop,
    cli: {
      status: document,
      statusText: renderStatus(document, clock.now(), look),
      review: reviewed,
      reviewText: renderReview(reviewed, look),
      fixesText: renderFixes(await listFixes(loop, {}), look),
      patternsText: renderPatterns(await listPatterns(loop, { limit: 10 }), look),
      topText: topLines({ folder: '.', status, overview }, { width: 140, height: 40, paint: look.paint }).join('\n'),
    },
    page: { review, status, overview, trials, close: () => data.close() },
    alerts: { matters, view, digest: digestOf(view, [], {}).lines.join('\n') },
  };
}

/** Ids of fixes for which an alert of this kind is sent. */
function alerted({ alerts }: Answers, kind: 'proposal' | 'verdict'): readonly string[] {
  return alerts.matters.flatMap((matter) => (matter.alert === kind ? [matter.fix.id] : []));
}

type Answers = Awaited<ReturnType<typeof ask>>;
const stores: { name: string; answers: Answers }[] = [];

beforeAll(async () => {
  for (const { name, loop } of await openStores()) stores.push({ name, answers: await ask(loop) });
});
afterAll(async () => {
  for (const { answers } of stores) {
    await answers.page.close();
    await answers.loop.close();
  }
});

/** Asks every store. A failing store is named. */
function each(question: string, compare: (answers: Answers) => void): void {
  it(question, () => {
    expect(stores.length).toBe(20);
    for (const { name, answers } of stores) {
      try {
        compare(answers);
      } catch (error) {
        throw new Error(`store with ${name}: ${String(error)}`, { cause: error });
      }
    }
  });
}

describe('every door answers the questions of a reviewer alike', () => {
  each('1. How many decisions wait for me?', ({ loop, cli, page: { status, review }, alerts }) => {
    const { length } = waitingOf(loop).fixes;
    expect(cli.status.waiting.length).toBe(length);
    expect(status.waiting).toBe(length);
    expect(review.waiting.length).toBe(length);
    expect(cli.status.attention).toBe(length > 0);
    expect(alerts.digest.includes('to decide')).toBe(length > 0);
    if (length > 0) expect(alerts.digest).toContain(`${length} proposal${length === 1 ? '' : 's'} to decide`);
    expect(cli.topText).toContain(length === 0 ? 'waits   nothing' : `waits   ${length} to decide`);
    expect(/waits .*(nothing|needs? your program|to apply by hand)/.test(cli.statusText)).toBe(length === 0);
  });

  each('2. Which ones?', (answers) => {
    const ids = sorted(waitingOf(answers.loop).fixes.map(({ id }) => id));
    expect(sorted(answers.cli.status.waiting.map(({ id }) => id))).toEqual(ids);
    expect(sorted(answers.page.review.waiting.map(({ id }) => id))).toEqual(ids);
    expect(sorted(alerted(answers, 'proposal'))).toEqual(ids);
    expect(answers.page.overview.waiting.every(({ id }) => ids.includes(id))).toBe(true);
  });

  each('3. What does my program have to do first?', ({ loop, cli, page: { review } }) => {
    const waiting = waitingOf(loop).forProgram;
    expect(review.blocked.map(({ id }) => id)).toEqual(waiting.map(({ id }) => id));
    expect(cli.status.forProgram).toBe(waiting.length);
    const inReview = cli.review.fixes.filter(({ wait }) => wait?.kind === 'program').map(({ fix }) => fix.id);
    expect(inReview).toEqual(waiting.map(({ id }) => id));
    expect(/needs? a step in your program/.test(cli.reviewText)).toBe(waiting.length > 0);
  });

  each('4. What fits, but cannot be proven here?', ({ loop, cli, page: { review } }) => {
    const { remarks } = waitingOf(loop);
    expect(review.remarks.map(({ id }) => id)).toEqual(remarks.map(({ id }) => id));
    expect(cli.status.remarks).toBe(remarks.length);
    expect(cli.reviewText.includes('no trial can decide here')).toBe(remarks.length > 0);
  });

  each('5. What can I do about each?', ({ loop, page: { review } }) => {
    for (const row of [...review.waiting, ...review.blocked, ...review.remarks]) {
      const fix = loop.fixes().find(({ id }) => id === row.id);
      const typed = fix ? commandsFor(fix, String).map(([command]) => command.split(' ')[0]) : [];
      expect(sorted(typed.map(String))).toEqual(sorted(row.may));
    }
  });

  each('6. What does each wait for?', ({ cli, page: { review } }) => {
    for (const { id, wait } of [...review.waiting, ...review.blocked, ...review.remarks]) {
      expect(cli.fixesText).toContain(wait?.sentence.replace(/\.$/, ''));
      expect(cli.review.fixes.find(({ fix }) => fix.id === id)?.wait).toEqual(wait);
    }
  });

  each('7. How well does it run?', ({ cli, page: { overview } }) => {
    const text = cli.statusText.split('\n')[0] ?? '';
    expect(cli.topText).toContain(text.replace(/^health +/, ''));
    expect(healthWords(cli.status.health)).toBe(healthWords(overview.health));
    expect(cli.status.patterns.found > 0 && text.includes(' 100 %')).toBe(false);
  });

  each('8. What fails most, and how often?', ({ loop, cli, page: { overview }, alerts }) => {
    const [worst] = overview.worst;
    const [first] = cli.status.patterns.worst;
    expect(first?.task).toBe(worst?.task);
    const share = `${worst?.count} of ${worst?.rate.of} (`;
    expect(cli.patternsText).toContain(share);
    const lines = messagesOf(alerts.matters, alerts.view, {}).flatMap((message) => message.lines);
    const ofPattern = alerts.matters.some(({ alert }) => alert === 'new-pattern');
    expect(lines.length === 0 || !ofPattern || lines.some((line) => same(line).includes(share))).toBe(true);
    expect(overview.patterns).toBe(cli.status.patterns.found);
    expect(loop.patterns().length).toBeGreaterThan(0);
  });

  each('9. What is being tried?', ({ cli, page: { overview } }) => {
    expect(cli.status.trials.map(({ id }) => id)).toEqual(overview.trials.map(({ fix }) => fix.id));
  });

  each('10. What did each trial show?', (answers) => {
    const { loop, cli, page: shown, alerts } = answers;
    for (const fix of loop.fixes().filter(({ verdict }) => verdict !== undefined)) {
      const words = fix.verdict ? same(page.verdictText(fix.verdict)) : '';
      expect(cli.fixesText).toContain(words);
      if (!fix.verdict || !('figures' in fix.verdict)) continue;
      const figures = words.split(': ')[1] ?? '';
      expect(figures).toBe('93 % of 1,144 tasks succeeded with it, 74 % of 115 without');
      const own = alerts.matters.filter((matter) => 'fix' in matter && matter.fix.id === fix.id);
      const lines = messagesOf(own, alerts.view, {}).flatMap((message) => message.lines);
      expect(lines.some((line) => same(line).includes(figures)) || own.length === 0).toBe(true);
      expect(shown.review.decided.some(({ id }) => id === fix.id) || fix.status !== 'confirmed').toBe(true);
    }
  });

  each('11. How long would a trial take?', ({ cli, page: { review } }) => {
    for (const row of [...review.waiting, ...review.blocked, ...review.remarks].filter(
      (one) => one.status === 'proposed',
    ))
      expect(cli.reviewText).toContain(same(page.forecastText(row)));
  });

  each('12. Does anything need me at all?', ({ loop, cli, page: { status }, alerts }) => {
    const needs = waitingOf(loop).fixes.length > 0;
    expect([cli.status.attention, status.waiting > 0]).toEqual([needs, needs]);
    expect(alerts.matters.some(({ alert }) => alert === 'proposal')).toBe(needs);
  });
});
