import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/classify/fingerprint.js';
import { HOSTILE } from '../fixtures/hostile.js';

describe('fingerprint', () => {
  it('is the same on every machine', () => {
    // Stored fingerprints depend on these values: a change that moves them starts every pattern again.
    expect(fingerprint('request 17 took 20 ms')).toBe(KNOWN[0]);
    expect(fingerprint('TypeError: fetch failed\n  [cause]: Error: read ECONNRESET')).toBe(KNOWN[1]);
    expect(fingerprint('')).toBe(KNOWN[2]);
  });

  it.each([
    ['numbers, sizes and times', 'sent 403 bytes (1.16 KB) in 20 ms', 'sent 9 KB in 3.1 seconds'],
    ['paths', "open '/srv/a/1.json' failed", "open 'C:\\data\\b c.csv' failed"],
    ['hosts and ports', 'connect to api.example.com:443 failed', 'connect to 10.2.0.9:80 failed'],
    [
      'urls and their methods',
      'fetch failed (GET https://a.example/x)',
      'fetch failed (POST http://b.example:81/y?z=1)',
    ],
    ['ids', 'run 4f2a-99 of org-Ab12 stopped', 'run 8-17c of org-9xYz stopped'],
    ['hexadecimal addresses', 'link 00:ae:fb:cd:ee:01 is down', 'link ab:cd:ef:ab:cd:ef is down'],
    ['dates with names', 'expired on Fri Jun 17 07:07:00 2025', 'expired on Mon Jul 4 12:52:44 2026'],
    ['quoted values', 'no tool named "search_web"', "no tool named 'read_file'"],
    ['field values', 'lock=17, ready=true, user= rhost=a1', 'lock=9, ready=false, user= rhost=b2'],
    ['lists without spaces', 'acls changed to: yarn,hdfs', 'acls changed to: alice,bob,carol'],
    ['colours', '\u001b[31mworker 4 stopped\u001b[39m', 'worker 9 stopped'],
    ['line numbers of frames', 'Error\n    at run (/a/b.ts:1:2)', 'Error\n    at run (/c/d.ts:30:9)'],
    ['digits between signs without spaces', '请在20秒后重试', '请在5秒后重试'],
  ])('does not depend on %s', (_, one, other) => {
    expect(fingerprint(one)).toBe(fingerprint(other));
  });

  it.each([
    ['a word', 'socket closed by peer', 'socket opened by peer'],
    ['the status', 'HTTP 529 from upstream', 'HTTP 503 from upstream'],
    ['the message inside JSON', '{"message":"Unauthorized"}', '{"message":"Overloaded"}'],
    ['the function a bare error came from', 'Error\n    at run (/a:1:2)', 'Error\n    at stop (/a:1:2)'],
    ['the deepest cause', 'A: b\nCaused by: C: d', 'A: b\nCaused by: E: d'],
    ['dots in front of a value', 'i-fetch......................0', 'enable......................0'],
  ])('depends on %s', (_, one, other) => {
    expect(fingerprint(one)).not.toBe(fingerprint(other));
  });

  it('answers for hostile messages and for what is no string', () => {
    for (const message of HOSTILE) expect(fingerprint(message as string)).toMatch(/^[0-9a-f]{16}$/);
  });
});

const KNOWN = ['1d98d56ef81ce663', '8a2dc0fe1ee6cd0a', '5bd1e9951b873593'];
