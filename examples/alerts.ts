import { RSILoop } from 'rsi-loop';
import { notifier } from 'rsi-loop/notify';

const loop = new RSILoop();
loop.sources.attach(
  notifier({
    targets: [{ kind: 'slack', url: process.env.SLACK_URL ?? 'https://hooks.slack.com/services/T0/B0/example' }],
    healthBelow: 0.8,
    // Without it, alerts are sent. Here it prints what Slack would get.
    fetch: async (_url, { body }) => {
      console.log(JSON.parse(body).text);
      return new Response('ok');
    },
  }),
);

for (let call = 0; call < 200; call++) {
  const isOk = call % 5 > 0;
  loop.observer.recordSimple('charge_card', isOk ? { success: true } : { success: false, error: 'connect ETIMEDOUT' });
}
await loop.runCycle();
await loop.close(); // sends what is new
