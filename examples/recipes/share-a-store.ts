import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';

// Two processes would open the same folder like this. One of them leads the cycles; both record and both decide.
const worker = new RSILoop({ store: new FileStore('./rsi_data'), source: 'worker' });
const web = new RSILoop({ store: new FileStore('./rsi_data'), source: 'web' });
await Promise.all([worker.ready(), web.ready()]);

for (let call = 0; call < 10; call++) {
  worker.observer.recordSimple('send_mail', { success: false, error: '421 Too many connections' });
  web.observer.recordSimple('send_mail', { success: true });
}
await Promise.all([worker.flush(), web.flush()]); // resolved: on disk

await worker.runCycle();
await web.refresh();
for (const loop of [worker, web]) {
  console.log(loop.patterns().map(({ task, count, rate }) => `${task}: ${count} of ${rate.of}`));
}
await worker.close();
await web.close();
