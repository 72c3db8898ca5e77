import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WasiSandbox } from 'rsi-loop/sandbox';
import { afterAll, describe, expect, it } from 'vitest';
import { checkSkillFiles } from '../../integrations/skills/check-skill.js';
import { FileSkillFolder } from '../../integrations/skills/file-skill-folder.js';
import { VmSandbox } from '../integrations/skills/vm-sandbox.js';

const folder = join(import.meta.dirname, '..', '..', 'examples', 'skills');

describe('the skills of examples/skills', () => {
  const wasi = new WasiSandbox({ workers: 1 });
  afterAll(() => wasi.close());

  it.each(readdirSync(folder))('%s has the files that were tested, and passes its tests', async (name) => {
    const files = await new FileSkillFolder(folder).read(name);
    const sandbox = files.has('scripts/main.wasm') ? wasi : new VmSandbox();
    const { problems, state } = await checkSkillFiles(name, files, { sandbox });
    expect(problems).toEqual([]);
    expect(state).toBe('tested');
  });
});
