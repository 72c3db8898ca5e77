import { expect, it } from 'vitest';
import { startDuringFaults } from './start-faults.js';

it('a process that starts on a folder it cannot use acknowledges nothing, and later only what is kept', async () => {
  const report = await startDuringFaults(['of another format', 'read-only'], ['repaired', 'closed']);
  expect(report).toMatchObject({ tried: 4, broken: [], lost: 0, doubled: 0 });
  expect(report.acknowledged).toBeGreaterThan(200);
}, 60_000);
