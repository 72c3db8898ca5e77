import { RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';

const HOUR_MS = 3_600_000;

/** An agent that reads its rules when a session begins, and tells how its tools went; it never calls `loop.run`. */
async function sessions(loop: RSILoop, clock: ManualClock, count: number, fails: (advised: boolean) => boolean) {
  for (let session = 0; session < count; session++) {
    const name = `s${clock.now()}`;
    const { advice, end } = loop.begin('work', { session: name, source: 'openclaw' });
    for (let call = 0; call < 10; call++) {
      const failed = fails(advice.length > 0);
      const error = failed ? '429 Too Many Requests' : undefined;
      loop.observer.record({ task: 'telegram', tool: 'telegram', session: name, success: !failed, error });
    }
    end({ success: true });
    loop.endSession(name);
    await clock.advance(HOUR_MS);
    if (session % 10 === 9) await loop.runCycle();
  }
}

it('an agent that only reads advice gets a rule for its rate limits, tried on half of its sessions', async () => {
  const clock = new ManualClock();
  const random = seededRandom(5);
  const loop = new RSILoop({ clock, random: seededRandom(1) });
  await loop.ready();
  await sessions(loop, clock, 20, () => random() < 0.25);

  const [proposal] = loop.fixes();
  expect(loop.fixes()).toHaveLength(1);
  expect(proposal).toMatchObject({ task: 'telegram', issue: 'rate_limit', status: 'proposed', unit: 'session' });
  expect(proposal).not.toHaveProperty('needs');
  expect(proposal?.change).toMatchObject({
    kind: 'rule',
    text: expect.stringContaining('wait as long as the answer says'),
  });

  await loop.approve(proposal?.id ?? '', { by: 'ada' });
  await loop.runCycle();
  await sessions(loop, clock, 120, (advised) => random() < (advised ? 0.05 : 0.25));
  expect(loop.fixes()[0]).toMatchObject({ id: proposal?.id, status: 'confirmed' });
  await loop.close();
});

it('a task whose settings are read keeps getting settings, not rules, for its rate limits', async () => {
  const clock = new ManualClock();
  const random = seededRandom(5);
  const loop = new RSILoop({ clock, random: seededRandom(1) });
  for (let task = 0; task < 200; task++) {
    const open = loop.begin('telegram', { session: `s${task >> 3}` });
    open.end(random() < 0.25 ? { success: false, error: '429 Too Many Requests' } : { success: true });
    await clock.advance(60_000);
  }
  await loop.runCycle();
  expect(loop.fixes().map(({ change }) => change.kind)).not.toContain('rule');
  await loop.close();
});
