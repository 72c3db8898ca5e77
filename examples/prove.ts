import { prove } from 'rsi-loop/prove';

const PROMPT = `You read invoices.

- Answer with cents.
- Guess what you cannot read.
- Be polite.
- Write short answers.
`;

// Stand-in for your agent: cents help it, guessing harms it, and the rest does nothing. 1 is a failed task.
let calls = 0;
const run = (system: string) => {
  const luck = (calls++ * 0.6180339887) % 1;
  const risk = 0.5 + (system.includes('cents') ? -0.3 : 0) + (system.includes('Guess') ? 0.3 : 0);
  return luck < risk ? 1 : 0;
};

const study = await prove('invoices', PROMPT, { seed: 1 }); // with log: new FileLog('./rsi_data'), it survives restarts
for (let session = 0; session < 300; session++) {
  const system = await study.text(`session ${session}`); // without the lines drawn out
  await study.end(`session ${session}`, { failures: run(system) });
}

const { lines } = await study.report();
for (const { text, verdict, effect, sessionsNeeded } of lines) {
  const points = `${Math.round(effect.low * 100)} to ${Math.round(effect.high * 100)} points of failures`;
  const more = sessionsNeeded === undefined ? '' : `, about ${sessionsNeeded} more sessions`;
  console.log(`${text.trim()} ${verdict}: ${points}${more}`);
}
