import { writeFileSync } from 'node:fs';
import { FileStore } from 'rsi-loop/node';
import { importInto } from 'rsi-loop/sources/import';

// Two runs of a benchmark, as tau-bench writes them; yours lie in a file or folder already.
const call = { role: 'tool', tool_call_id: 'c1', name: 'book_flight', content: 'Error: payment does not add up' };
const runs = [0, 1].map((reward, trial) => ({ task_id: 7, trial, reward, info: {}, traj: [call] }));
writeFileSync('runs.json', JSON.stringify(runs));

const store = new FileStore('./rsi_data');
const { written, failures, formats } = await importInto(store, 'runs.json');
console.log(written, failures, formats); // 4 3 { 'tau-bench': 4 }

const again = await importInto(store, 'runs.json');
console.log(again.written, again.known); // 0 4
await store.close();
