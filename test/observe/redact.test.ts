import { describe, expect, it } from 'vitest';
import { Observer } from '../../src/observe/observer.js';
import { redact } from '../../src/observe/redact.js';
import { ordinaryLines, plantSecrets } from './planted-secrets.js';

function stored(task: string, fields: Readonly<Record<string, unknown>>): string {
  const kept: unknown[] = [];
  const observer = new Observer({
    clock: { now: () => 1_700_000_000_000 },
    newId: () => 'id',
    emit: (outcome) => kept.push(outcome),
    report: () => {},
  });
  observer.recordSimple(task, { success: false, ...fields });
  observer.record({ task, success: false, ...fields });
  expect(kept).toHaveLength(2);
  return JSON.stringify(kept);
}

describe('redaction', () => {
  it('leaves none of 540 planted secrets in what is stored', () => {
    const found = plantSecrets(540, 20_26)
      .filter(({ pieces, fields }) => {
        const text = stored('t', fields);
        return pieces.some((piece) => text.includes(piece) || text.includes(encodeURIComponent(piece)));
      })
      .map(({ shape, place, secret }) => `${shape} in ${place}: ${secret}`);
    expect(found).toEqual([]);
  });

  it('changes at most 2 % of a thousand ordinary lines', () => {
    const changed = ordinaryLines(1000, 7).filter((line) => redact(line) !== line);
    expect(changed.length, changed.slice(0, 30).join('\n')).toBeLessThanOrEqual(20);
  });

  it.each([
    ['password=hunter2 and more', 'password=[redacted:named] and more'],
    ['{"password":"abc def","user":"x"}', '{"password":"[redacted:named]","user":"x"}'],
    ['db password: swordfish', 'db password: swordfish'],
    ['password: swordfish', 'password: [redacted:named]'],
    ['curl -u admin:s3cret https://example.com', 'curl -u admin:[redacted:named] https://example.com'],
    ['deploy --token abc123def456', 'deploy --token [redacted:named]'],
    ['the password is Tr0ub4dor&3.', 'the password is [redacted:named].'],
    ['<password>hunter2</password>', '<password>[redacted:named]</password>'],
    ["{'Authorization': 'Token 9f8e7d6c5b4a'}", "{'Authorization': '[redacted:named]'}"],
    ['Set-Cookie: a=b; Path=/\nServer: x', 'Set-Cookie: [redacted:named]\nServer: x'],
    ['redis://:p4ss@cache:6379/0', 'redis://[redacted:url-credentials]cache:6379/0'],
    ['{\\"api_key\\":\\"zzz123\\"}', '{\\"api_key\\":\\"[redacted:named]\\"}'],
    ['token%3Dabc123def456ghi&x=1', 'token%3D[redacted:named]&x=1'],
  ])('reads %j', (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });

  it('closes a secret that is broken over lines, and leaves the words after it', () => {
    const text = 'used ghp_abcdefghijklmnopqrs\n  tuvwxyz0123456789ABCD then\n  stopped';
    expect(redact(text)).toBe('used [redacted:github-token] then\n  stopped');
  });

  it('takes the rest of a key that was cut off', () => {
    expect(redact('-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq')).toBe('[redacted:private-key]');
  });

  it('redacts again what it redacted without changing it', () => {
    for (const { secret } of plantSecrets(54, 3)) expect(redact(redact(secret))).toBe(redact(secret));
  });

  it('takes time in proportion to the length of hostile text', () => {
    // Each would take hours in a pattern that backtracks; the time-out of the test is the bound.
    const size = 200_000;
    const hostile = [
      'a',
      '=',
      'password',
      '-',
      '://a:',
      '"',
      "password='",
      'eyJ',
      '4 ',
      '<a>',
      'token is ',
      '%3D',
      '\\n',
      'a\n',
      '-----BEGIN ',
    ];
    for (const piece of hostile) redact(piece.repeat(size / piece.length));
  });
});
