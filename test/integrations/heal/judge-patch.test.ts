import { expect, it } from 'vitest';
import { describeEnd } from '../../../integrations/heal/judge-patch.js';

const KEY = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';

it('describes how a call ended without the secrets in its result or error, also where the text is cut', () => {
  const long = `${'x'.repeat(190)} ${KEY}`;
  const ends = [
    describeEnd({ kind: 'returned', value: JSON.stringify({ apiKey: KEY }), after: '[]' }),
    describeEnd({ kind: 'threw', name: 'Error', message: `bad key ${KEY}` }),
    describeEnd({ kind: 'threw', name: 'Error', message: long }),
  ];
  expect(ends.join('\n')).toContain('[redacted');
  expect(ends.join('\n')).not.toContain('sk-ant');
});
