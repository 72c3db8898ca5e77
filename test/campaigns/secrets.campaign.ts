/** `npm run campaign -- secrets`: secrets in everyday places that redaction leaves, and harmless texts that it changes. */
import { redactWide } from '../observe/wide-secrets.js';
import { campaigns } from './run-campaigns.js';

await campaigns()('secrets', async () => {
  const { secrets, missed, harmless, changed } = redactWide(1);
  for (const text of missed) console.log(`missed: ${text}`);
  for (const text of changed) console.log(`changed: ${text}`);
  const broken = [
    ...(missed.length > 10 ? [`${missed.length} of ${secrets} secrets were missed, more than 10`] : []),
    ...(changed.length > 2 ? [`${changed.length} of ${harmless} harmless texts were changed, more than 2`] : []),
  ];
  return { secrets, missed: missed.length, harmless, changed: changed.length, broken };
});
