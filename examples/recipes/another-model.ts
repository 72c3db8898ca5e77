import { RSILoop } from 'rsi-loop';

const loop = new RSILoop();
const called: string[] = [];
for (let question = 0; question < 5; question++) {
  const ask = async ({ model = '' }) => {
    called.push(model);
    if (model === 'sonnet') throw Object.assign(new Error('Overloaded'), { status: 529 });
    return `${model} answers`;
  };
  // Naming several models is the permission to ask the next one after a failure.
  await loop.run('answer', ask, { models: ['sonnet', 'haiku'] });
}
// A model that is overloaded is asked last until its cooldown ends.
console.log(called.join(', '));
await loop.close();
