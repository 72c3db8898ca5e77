import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskWorkspace } from 'rsi-loop/node';

const folder = await mkdtemp(join(tmpdir(), 'agent-'));
await writeFile(join(folder, 'AGENTS.md'), '# Agent\n');
const workspace = new DiskWorkspace(folder, { files: ['AGENTS.md', 'CLAUDE.md'] });

const { text = '', hash } = await workspace.read('AGENTS.md');
await writeFile(join(folder, 'AGENTS.md'), '# Agent\nBe brief.\n'); // a person saves in between

const result = await workspace.write('AGENTS.md', `${text}Be polite.\n`, hash);
console.log(result.kind); // conflict: nothing was written
console.log(await readFile(join(folder, 'AGENTS.md'), 'utf8')); // what the person saved

const again = await workspace.write('AGENTS.md', `${result.file.text}Be polite.\n`, result.file.hash);
if (again.kind === 'ok') console.log(`written; before: ${again.backup}`);
