/** Learns two skills in the folder of its argument, and notes each answer of the model before it is used. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileLogs } from '../../../integrations/skills/file-logs.js';
import { FileSkillFolder } from '../../../integrations/skills/file-skill-folder.js';
import { SkillLibrary } from '../../../integrations/skills/library.js';
import { RSILoop } from '../../../src/loop.js';
import { ScriptedModel } from '../../../src/testing/scripted-model.js';
import { TOTAL, TOTALS } from './totals.js';
import { VmSandbox } from './vm-sandbox.js';

const home = process.argv[2] ?? '';
const folder = join(home, 'skills');
const WRONG = ['export default ({ csv }) => {{{', 'export default ({ csv }) => ({ total: csv.rows.length });'];

/** Answers by what was asked, so that a process that continues gets the answers of the one before it. */
const model = new ScriptedModel(({ messages, schema }) => {
  const fields = schema?.type === 'object' ? Object.keys(schema.properties) : [];
  const said = messages.map(({ content }) => content).join();
  const name = said.includes('second') ? 'second-total' : 'first-total';
  appendFileSync(join(home, 'paid.log'), `${fields[0]}\n`);
  if (fields.includes('steps'))
    return {
      kind: 'json',
      json: {
        name,
        description: `Totals for the ${name}.`,
        whenNot: '',
        steps: [],
        asks: { hosts: [], read: [], write: [] },
      },
    };
  if (!fields.includes('code')) return { kind: 'json', json: { cause: 'wrong', change: 'other code' } };
  const drafts = said.match(/\[draft \d+/g)?.length ?? 0;
  return { kind: 'json', json: { language: 'javascript', code: WRONG[drafts] ?? TOTAL } };
});

const loop = new RSILoop();
const skills = new SkillLibrary(loop, {
  files: new FileSkillFolder(folder),
  logs: fileLogs(folder),
  sandbox: new VmSandbox(),
  model,
});
const learned = [];
for (const directive of ['the first total', 'the second total'])
  learned.push(await skills.learn(directive, { examples: TOTALS }));
await skills.deprecate('first-total', 'old').catch(() => {});
await skills.revive('first-total').catch(() => {});
console.log(JSON.stringify(learned));
await skills.close();
await loop.close();
