import { writeFileSync } from 'node:fs';
import { FileStore } from 'rsi-loop/node';
import { importInto } from 'rsi-loop/sources/import';

// The end of an agent's session, as Codex writes it; yours lie in a folder already.
const call = { type: 'function_call', name: 'shell', call_id: 'c1', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'c1', output: 'Exit code: 1\nmake: no rule to make target' };
const items = [call, output].map((payload) => JSON.stringify({ type: 'response_item', payload }));
writeFileSync('rollout.jsonl', items.join('\n'));

const store = new FileStore('./rsi_data');
const { written, failures, formats } = await importInto(store, 'rollout.jsonl');
console.log(written, failures, formats); // 1 1 { codex: 1 }

const again = await importInto(store, 'rollout.jsonl');
console.log(again.written, again.known); // 0 1
await store.close();
