import { pathToFileURL } from 'node:url';
import { RSILoop } from 'rsi-loop';
import { heal } from 'rsi-loop/heal';
import { codeProject } from 'rsi-loop/improve';
import { gitRepository } from './git-repository.js';
import { model } from './healed-shop/model.js';

const example = `${import.meta.dirname}/healed-shop`;
const folder = gitRepository(example, ['src', 'test'], './healed-shop');
const project = await codeProject({ folder, allow: ['src/**'], test: ['node', '--test'] });
const shop = await import(pathToFileURL(`${project.root}/src/total.mjs`).href);

const loop = new RSILoop();
const total = heal(shop.total as (order: object) => number, {
  loop,
  patch: { model, project, file: 'src/total.mjs', hotSwap: { by: 'you' } },
  onRepair: (repair) => console.log(repair.kind, 'why' in repair ? repair.why : repair.place),
});
const oldFormat = { lines: [{ count: 2, product: { price: 3 } }] };
const newFormat = { lines: [{ count: 2, unitPrice: 5 }] };
const attempt = async (order: object) => {
  try {
    console.log(total(order));
  } catch (error) {
    console.log(String(error)); // the error of the function itself, without a delay
  }
  await total.healing.idle(); // the patch is prepared in the background
};

await attempt(oldFormat);
await attempt(newFormat); // the first patch is rejected
await attempt(newFormat); // the second one is proposed

const [change] = await project.changes();
if (change?.status === 'waiting') {
  console.log(change.evidence.repair?.checks.join('\n'));
  await project.approve(change.id, { by: 'you', reason: 'it reads well' });
  console.log(await total.healing.refresh());
  await attempt(newFormat);
  await project.rollback(change.id, { by: 'you', reason: 'the shop went back to the old format' });
  console.log(await total.healing.refresh());
  await attempt(oldFormat);
}
await project.close();
await loop.close();
