import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileStore } from 'rsi-loop/node';
import { describe, expect, it } from 'vitest';
import { checkSkillFiles } from '../../../integrations/skills/check-skill.js';
import { fileLogs } from '../../../integrations/skills/file-logs.js';
import { FileSkillFolder } from '../../../integrations/skills/file-skill-folder.js';
import { SkillLibrary } from '../../../integrations/skills/library.js';
import { seededRandom } from '../../../src/lib/random.js';
import { RSILoop } from '../../../src/loop.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';
import { CSV_SCHEMA, javascript, put, skillOf, TOTAL, TOTALS, temporaryFolder } from './open-library.js';
import { VmSandbox } from './vm-sandbox.js';

const total = skillOf({
  name: 'csv-total',
  description: 'Totals the amounts of a CSV sheet.',
  ...javascript(TOTAL),
  input: CSV_SCHEMA,
  tests: TOTALS.map(([input, output], at) => ({ input, output, hidden: at % 2 === 0 })),
});

/** An agent whose answers fail less often if it may call the skill: `withSkill` and `without` are failure rates. */
async function world(rates: { readonly withSkill: number; readonly without: number }) {
  const [folder, store] = [temporaryFolder(), temporaryFolder()];
  const clock = new ManualClock(Date.UTC(2026, 0, 5));
  const random = seededRandom(7);
  const loop = new RSILoop({ clock, random, store: new FileStore(store, { clock, writer: 'agent0000000' }) });
  const files = new FileSkillFolder(folder);
  await put(files, total);
  const skills = new SkillLibrary(loop, { files, logs: fileLogs(folder), sandbox: new VmSandbox() });
  let [offered, tasks] = [0, 0];
  const work = async (count: number) => {
    for (let task = 0; task < count; task++) {
      await clock.advance(30_000);
      await loop
        .run('answer', async ({ given }) => {
          const found = await skills.nearest('total the amounts of this sheet', { given });
          offered += found.length;
          tasks++;
          if (random() < (found.length > 0 ? rates.withSkill : rates.without)) throw new Error('the total is wrong');
        })
        .catch(() => {});
      if (task % 50 === 49) await loop.runCycle();
    }
    const counts = { offered, tasks };
    [offered, tasks] = [0, 0];
    return counts;
  };
  const close = async () => {
    await skills.close();
    await loop.close();
  };
  return { folder, store, loop, skills, files, work, close };
}

describe('proving a skill', () => {
  it('offers it to half of the tasks, keeps it once it helps, and writes a certificate that can be checked offline', async () => {
    const { folder, store, loop, skills, files, work, close } = await world({ withSkill: 0.1, without: 0.5 });
    expect(await work(50)).toEqual({ offered: 50, tasks: 50 });
    const fix = await skills.prove('csv-total', { task: 'answer', by: 'ann' });
    expect(fix).toMatchObject({ status: 'proposed', change: { kind: 'skill', name: 'csv-total', asks: [] } });
    expect((await work(50)).offered).toBe(0);
    await loop.approve(fix.id, { by: 'ann' });
    const proven = new Promise((resolve) => skills.on('skill-proven', resolve));
    const { offered, tasks } = await work(400);
    expect(offered / tasks).toBeGreaterThan(0.35);
    expect(loop.fixes({ kind: 'skill' })).toMatchObject([{ status: 'confirmed' }]);
    await proven;
    expect(await skills.list()).toMatchObject([{ name: 'csv-total', proof: { status: 'confirmed' } }]);
    await close();

    const read = () => files.read('csv-total');
    const ledger = new FileStore(store).ledger;
    expect(await checkSkillFiles('csv-total', await read(), { sandbox: new VmSandbox(), ledger })).toMatchObject({
      ok: true,
      state: 'proven',
    });
    const path = join(folder, 'csv-total', 'certificate.json');
    const text = readFileSync(path, 'utf8');
    const certificate = JSON.parse(text);
    expect(certificate.eValue).toBeGreaterThanOrEqual(certificate.needed);
    for (const forged of [
      { eValue: 1e9 },
      { hash: '0'.repeat(64) },
      { ledger: { ...certificate.ledger, position: 0 } },
      { arms: { ...certificate.arms, fix: { units: 1, tasks: 1, failures: 0 } } },
    ]) {
      writeFileSync(path, JSON.stringify({ ...certificate, ...forged }));
      expect(await checkSkillFiles('csv-total', await read()), JSON.stringify(Object.keys(forged))).toMatchObject({
        ok: false,
      });
    }
    writeFileSync(path, text);
    writeFileSync(join(folder, 'csv-total', 'scripts', 'main.js'), `${TOTAL} `);
    expect((await checkSkillFiles('csv-total', await read())).problems).toContain(
      'certificate: the skill was changed after its proof',
    );
    expect(
      (await checkSkillFiles('csv-total', await read(), { ledger: new FileStore(temporaryFolder()).ledger })).ok,
    ).toBe(false);
  });

  it('withdraws a skill that does harm', async () => {
    const { loop, skills, work, close } = await world({ withSkill: 0.6, without: 0.2 });
    await work(50);
    const { id } = await skills.prove('csv-total', { task: 'answer', by: 'ann' });
    await loop.approve(id, { by: 'ann' });
    const withdrawn = new Promise<{ reason: string }>((resolve) => skills.on('skill-deprecated', resolve));
    await work(400);
    expect((await withdrawn).reason).toContain('its trial was rolled back (failed)');
    expect((await work(20)).offered).toBe(0);
    await close();
  });

  it('rejects a proof without outcomes to compare, and a second one of the same version', async () => {
    const { skills, work, close } = await world({ withSkill: 0.1, without: 0.5 });
    await expect(skills.prove('csv-total', { task: 'answer', by: 'ann' })).rejects.toThrow(
      'there is no outcome of "answer" yet',
    );
    await work(50);
    await skills.prove('csv-total', { task: 'answer', by: 'ann' });
    await expect(skills.prove('csv-total', { task: 'answer', by: 'ann' })).rejects.toThrow(
      'is proposed: see rsi explain',
    );
    await close();
  });
});
