import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mark } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { afterEach, describe, expect, it } from 'vitest';
import { networkError, World } from './world.js';

const HOUR_MS = 3_600_000;
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'rsi-loop-history-'));
  folders.push(made);
  return made;
}

function markersOf({ loop }: World): string[] {
  return loop.healthHistory().flatMap((item) => (item.kind === 'marker' ? [item.marker.kind] : []));
}

describe('the history of health', () => {
  it('has what changed between the hours, so that a fall can be tied to a deploy and a rise to a fix', async () => {
    const world = new World({}, { seed: 7 });
    await world.work(60, () => undefined);
    await world.clock.advance(HOUR_MS / 2);
    await mark(world.loop, 'deploy', '1.4.2');
    await world.clock.advance(HOUR_MS / 2);
    await world.work(700, () => (world.happens(0.3) ? networkError() : undefined));
    expect(world.loop.fixes()[0]).toMatchObject({ status: 'confirmed' });
    const history = world.loop.healthHistory();
    expect(history).toEqual([...history].sort((a, b) => a.atMs - b.atMs));
    const deploy = history.findIndex((item) => item.kind === 'marker' && item.marker.label === '1.4.2');
    const confirmed = history.findIndex((item) => item.kind === 'marker' && item.marker.kind === 'fix-confirmed');
    const rates = (items: typeof history) => items.flatMap((item) => (item.kind === 'health' ? item.point.rate : []));
    const worst = (items: typeof history) => Math.min(...rates(items));
    expect(worst(history.slice(0, deploy))).toBe(1);
    expect(worst(history.slice(deploy, confirmed))).toBeLessThan(0.9);
    expect(history[confirmed]).toMatchObject({ marker: { label: 'retries.network for api_call', by: 'auto' } });
    await world.loop.rollback(world.loop.fixes()[0]?.id ?? '', { by: 'ada', reason: 'not today' });
    expect(markersOf(world)).toEqual(['deploy', 'fix-confirmed', 'fix-rolled-back']);
    await world.loop.close();
  });

  it('notices by itself that a task went over to another model', async () => {
    const world = new World();
    await world.work(50, () => undefined, { models: ['sonnet'] });
    await world.work(50, () => undefined, { models: ['opus'] });
    expect(world.loop.healthHistory().find(({ kind }) => kind === 'marker')).toMatchObject({
      marker: { kind: 'model', label: 'api_call: sonnet -> opus' },
    });
    await world.loop.close();
  });

  it('is the same after a restart, and a fleet that says the same deploy gives one marker', async () => {
    const path = folder();
    const first = new World({ store: new FileStore(path, { writer: 'first0000000' }) });
    await Promise.all([mark(first.loop, 'deploy', '1'), mark(first.loop, 'deploy', '1', { by: 'other' })]);
    await first.work(50, () => undefined, { models: ['sonnet'] });
    await first.work(50, () => undefined, { models: ['opus'] });
    await mark(first.loop, 'deploy', '2');
    await mark(first.loop, 'deploy', '1');
    const before = first.loop.healthHistory();
    await first.loop.close();
    const second = new World(
      { store: new FileStore(path, { writer: 'second000000' }) },
      { startMs: first.clock.now() + HOUR_MS },
    );
    await second.loop.ready();
    await mark(second.loop, 'deploy', '1');
    expect(second.loop.healthHistory()).toEqual(before);
    expect(markersOf(second)).toEqual(['deploy', 'model', 'deploy', 'deploy']);
    await second.loop.close();
  });

  it('keeps the newest 1,000 markers', async () => {
    const { loop } = new World();
    for (let release = 0; release < 1_005; release++) await mark(loop, 'deploy', `r${release}`);
    const labels = loop.healthHistory().flatMap((item) => (item.kind === 'marker' ? [item.marker.label] : []));
    expect(labels).toHaveLength(1_000);
    expect([labels.at(0), labels.at(-1)]).toEqual(['r5', 'r1004']);
    await loop.close();
  });
});

describe('mark', () => {
  it('redacts and cuts what it keeps', async () => {
    const { loop } = new World();
    const marker = await mark(loop, 'deploy', `password=hunter2hunter2 ${'x'.repeat(500)}`);
    expect(marker?.label).not.toContain('hunter2');
    expect(marker?.label.length).toBeLessThanOrEqual(200);
    await loop.close();
  });

  it('refuses what is no text, and tells a problem instead of throwing when it cannot be kept', async () => {
    const { loop } = new World();
    await expect(mark(loop, '', 'x')).rejects.toThrow('kind of a marker is string: give a text that is not empty');
    await expect(mark(loop, 'deploy', 7 as unknown as string)).rejects.toThrow('label of a marker is number');
    const problems: string[] = [];
    loop.on('problem', ({ where, message }) => problems.push(`${where}: ${message}`));
    await loop.close();
    expect(await mark(loop, 'deploy', '3')).toBeUndefined();
    expect(problems).toEqual(['mark: deploy 3 was not kept: the store is closed']);
  });
});
