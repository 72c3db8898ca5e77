import { describe, expect, it } from 'vitest';
import { readHosts } from '../../../../integrations/skills/sandboxes/host/allowed-hosts.js';
import { isPublicAddress } from '../../../../integrations/skills/sandboxes/host/public-address.js';

describe('a list of hosts', () => {
  const allows = (entry: string, url: string) => readHosts([entry])(new URL(url));

  it.each([
    ['api.example.com', 'https://api.example.com/a', true],
    ['api.example.com', 'https://API.example.com./a', true],
    ['api.example.com', 'https://api.example.com:8443/', false],
    ['api.example.com:8443', 'https://api.example.com:8443/', true],
    ['api.example.com:80', 'http://api.example.com/', true],
    ['api.example.com:80', 'https://api.example.com/', false],
    ['*.example.com', 'https://a.b.example.com/', true],
    ['*.example.com', 'https://example.com/', false],
    ['*.example.com', 'https://evilexample.com/', false],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080/', true],
    ['127.0.0.1:8080', 'http://[::ffff:127.0.0.1]:8080/', false],
    ['[::1]:8080', 'http://[::1]:8080/', true],
    ['[::1]', 'http://[::1]:8080/', false],
    ['bücher.example', 'https://xn--bcher-kva.example/', true],
  ])('with %s decides on %s', (entry, url, expected) => {
    expect(allows(entry, url)).toBe(expected);
  });

  it.each(['', '*', '*.', 'a b', 'http://a.com', 'a.com/path', 'user@a.com', '*.127.0.0.1', 'a.com:99999'])(
    'rejects %j',
    (entry) => {
      expect(() => readHosts([entry])).toThrow('cannot allow the host');
    },
  );
});

describe('an address', () => {
  it.each(['93.184.215.14', '1.1.1.1', '2606:4700:4700::1111', '2001:4860:4860::8888'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.8.8.8',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
    ],
    ...['192.168.0.1', '192.0.2.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::7f00:1',
      '64:ff9b::7f00:1',
      'fe80::1',
      'fe80::1%eth0',
      'fc00::1',
    ],
    ...['fd12::1', 'ff02::1', '2002:7f00:1::', '2001::1', '2001:db8::1', 'localhost', ''],
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
