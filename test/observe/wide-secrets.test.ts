import { expect, it } from 'vitest';
import { redact } from '../../src/observe/redact.js';
import { redactWide } from './wide-secrets.js';

it('redacts all but 10 of 212 secrets in everyday places, and changes 2 of 114 harmless texts at most', () => {
  const { secrets, missed, harmless, changed } = redactWide(1);
  expect(secrets).toBeGreaterThanOrEqual(212);
  expect(harmless).toBeGreaterThanOrEqual(114);
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(10);
  expect(changed.length, changed.join('\n')).toBeLessThanOrEqual(2);
});

it('redacts passwords that commands take in other ways than by a named flag', () => {
  for (const command of [
    'mysqlsh -u root -ps3cret7 --sql',
    'unrar x -ps3cret7 in.rar',
    'openssl enc -aes-256-cbc -pass pass:s3cret7',
    'keytool -list -storepass s3cret7 -keystore x.jks',
    'xfreerdp /u:ada /p:s3cret7 /v:host',
    'echo s3cret7 | sudo -S apt-get update',
    'rabbitmqctl add_user ada s3cret7',
    'etcdctl --user root:s3cret7 get x',
  ])
    expect(redact(command)).not.toContain('s3cret7');
  for (const command of ['docker run --user 1000:1000 app', 'snmpget -v2c -c public host', 'net use Z: /delete'])
    expect(redact(command)).toBe(command);
});

it('redacts tokens that lines or signs of SQL join', () => {
  const rest = 'aB3dE6gH9'.repeat(4);
  for (const text of [`k = "ghp_" \\\n  "${rest}"`, `select 'ghp_' || '${rest}'`])
    expect(redact(text)).not.toContain(rest);
});
