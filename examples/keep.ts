import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';

const loop = new RSILoop({ store: new FileStore('./rsi_data') }); // any number of processes may share the folder
await loop.ready();

loop.observer.record({ task_type: 'search', error_msg: 'ETIMEDOUT', ts: '2026-11-21T10:00:00Z', modelName: 'haiku' });
await loop.flush(); // resolved: on disk
await loop.close();
