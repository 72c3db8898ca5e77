import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';

const loop = new RSILoop({ store: new FileStore('./rsi_data') });
await loop.ready();
loop.observer.recordSimple('support', { success: false, session: 'chat-17', error: 'no order of Mara Lindqvist' });
loop.observer.recordSimple('support', { success: true, session: 'chat-18' });
await loop.flush();

console.log((await loop.erase({ session: 'chat-17' }, { dryRun: true })).records); // counts only
const { records } = await loop.erase({ session: 'chat-17' });
console.log(`${records} record erased`);
await loop.close();
