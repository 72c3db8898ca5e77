import { attempt, type Escape, fails, gives } from './escape.js';
import type { Place } from './place.js';

/** Programs that misuse functions of the host. */
export function hostEscapes(place: Place): readonly Escape[] {
  return [...fileEscapes(place), ...networkEscapes(place), ...callEscapes(place)];
}

const get = (name: string, url: string, options: object, ends: Escape['ends'] = fails('refused')): Escape =>
  attempt(name, `return (await host.http.get(${JSON.stringify(url)})).body`, ends, { options });

function fileEscapes({ base, data }: Place): readonly Escape[] {
  const options = { allow: { read: [data] } };
  const read = (name: string, path: string, ends: Escape['ends'] = fails('refused'), allow: object = options): Escape =>
    attempt(`reading ${name}`, `return await host.files.read(${JSON.stringify(path)})`, ends, { options: allow });
  const write = (name: string, path: string): Escape =>
    attempt(`writing ${name}`, `return await host.files.write(${JSON.stringify(path)}, 'x')`, fails('refused'), {
      options: { allow: { write: [`${base}/out`], read: [data] } },
    });
  return [
    read('without permission', `${data}/a.txt`, fails('refused'), {}),
    read('what is allowed', 'a.txt', gives('allowed')),
    read('above the folder', '../secret.txt'),
    read('above a folder inside', 'inner/../../secret.txt'),
    read('an absolute path', `${base}/secret.txt`),
    read('a folder with the same beginning', `${data}-other/secret.txt`),
    read('through a link', 'link'),
    read('through a link to a folder', 'up/secret.txt'),
    read('the environment through a link', 'environment'),
    read('the environment', '/proc/self/environ'),
    read('memory', '/proc/self/mem'),
    read('a path with NUL', 'a.txt\0.png'),
    read('a device', '/dev/zero'),
    read('a folder', 'inner', fails('error')),
    read('what is absent', 'absent.txt', fails('error')),
    read('a path that is no text', '', fails('error')),
    attempt(
      'reading an object as a path',
      `return await host.files.read({ toString: () => '/etc/passwd' })`,
      fails('error', 'refused'),
      { options },
    ),
    attempt('listing above', `return await host.files.list('..')`, fails('refused'), { options }),
    attempt('listing through a link', `return await host.files.list('up')`, fails('refused'), { options }),
    attempt(
      'listing shows links as such',
      `return (await host.files.list('.')).filter(({ kind }) => kind === 'other').length`,
      gives(3),
      { options },
    ),
    write('without permission', `${data}/new.txt`),
    write('above', '../new.txt'),
    write('through a link', 'link'),
    write('through a link to a folder', 'up/secret.txt'),
    write('a name of two dots', `${base}/out/..`),
    write('a path with NUL', 'a\0b'),
  ];
}

function networkEscapes({ port }: Place): readonly Escape[] {
  const allow = (...hosts: string[]) => ({ allow: { hosts }, limits: { timeMs: 3_000 } });
  const all = allow('*.example.com', 'example.com');
  const to = (url: string) => `http://a.example.com/to?${encodeURIComponent(url)}`;
  return [
    get('http without permission', 'http://a.example.com/', {}),
    get(
      'an allowed host',
      'http://a.example.com/',
      all,
      gives(JSON.stringify({ host: 'a.example.com', method: 'GET', path: '/' })),
    ),
    get('a host that is not on the list', 'http://example.org/', all),
    get('a host that ends the same', 'http://evilexample.com/', all),
    get('a host that begins the same', 'http://a.example.com.evil.org/', all),
    get('another port', 'http://a.example.com:8080/', all),
    get('a name in front of the host', 'http://a.example.com@127.0.0.1/', all),
    get('a host after a backslash', 'http://127.0.0.1\\@a.example.com/', all),
    get('a host in the fragment', 'http://127.0.0.1#a.example.com', all),
    get('loopback', `http://127.0.0.1:${port}/`, all),
    get('loopback as a number', 'http://2130706433/', all),
    get('loopback in octal', 'http://0177.0.0.1/', all),
    get('loopback in hexadecimal', 'http://0x7f.1/', all),
    get('loopback of IPv6', 'http://[::1]/', all),
    get('loopback mapped to IPv6', 'http://[::ffff:127.0.0.1]/', all),
    get('loopback by name', 'http://localhost/', all),
    get('a file', 'file:///etc/passwd', all),
    get('data', 'data:text/plain,x', all),
    get('a name of a private address', 'http://inside.example.com/', all),
    get('a name with a private address among others', 'http://mixed.example.com/', all),
    get('a name of a mapped address', 'http://mapped.example.com/', all),
    get('a name of the metadata address', 'http://metadata.example.com/', all),
    get('a name of a link-local address', 'http://local6.example.com/', all),
    get('a name without address', 'http://nowhere.example.com/', all, fails('error')),
    attempt(
      'a name that is bound again',
      `for (let i = 0; i < 4; i += 1) await host.http.get('http://rebind.example.com/')`,
      fails('refused'),
      { options: all },
    ),
    get('a redirect off the list', to('http://example.org/'), all),
    get('a redirect to loopback', to(`http://127.0.0.1:${port}/`), all),
    get('a redirect to a file', to('file:///etc/passwd'), all),
    get('a redirect to a private name', to('http://inside.example.com/'), all),
    get('a redirect with a password', to('http://u:p@a.example.com/'), all),
    get('redirects without end', to('/to?/to'), all, fails('error')),
    attempt(
      'another host in the header',
      `await host.http.get('http://a.example.com/', { headers: { Host: 'internal' } })`,
      fails('refused'),
      { options: all },
    ),
    attempt(
      'a line break in a header',
      `await host.http.get('http://a.example.com/', { headers: { a: 'b\\r\\nhost: c' } })`,
      fails('error'),
      { options: all },
    ),
    attempt(
      'headers with __proto__',
      `await host.http.get('http://a.example.com/', JSON.parse('{"headers":{"__proto__":{"host":"b"}}}')); return 1`,
      gives(1),
      { options: all },
    ),
    get('a response that is too large', 'http://a.example.com/large', all, fails('error')),
    attempt('a server that never answers', `await host.http.get('http://a.example.com/never')`, fails('timeout'), {
      options: { ...all, limits: { timeMs: 200 } },
    }),
    get(
      'an address that is allowed',
      `http://127.0.0.1:${port}/ok`,
      allow(`127.0.0.1:${port}`),
      gives(JSON.stringify({ host: `127.0.0.1:${port}`, method: 'GET', path: '/ok' })),
    ),
  ];
}

function callEscapes({ data }: Place): readonly Escape[] {
  const options = { allow: { read: [data] }, limits: { calls: 10, timeMs: 3_000 } };
  return [
    attempt('a flood of calls', `for (;;) host.files.list('.')`, fails('calls'), { options }),
    attempt('one call after the other', `for (;;) await host.files.list('.').catch(() => 0)`, fails('calls'), {
      options,
    }),
    attempt('a flood of denied calls', `for (;;) await host.http.get('http://x').catch(() => 0)`, fails('calls'), {
      options,
    }),
    attempt(
      'denial that is caught',
      `return await host.http.get('http://x/').catch(({ name }) => name)`,
      gives('HostError'),
      { options },
    ),
    attempt(
      'arguments with a cycle',
      `const a = {}; a.a = a; return await host.http.post('http://x/', a)`,
      fails('error'),
      { options },
    ),
    attempt('arguments that are too long', `return await host.files.read('x'.repeat(5e6))`, fails('error'), {
      options,
    }),
    attempt(
      'arguments that change when read',
      `let n = 0; const a = { toJSON: () => (n += 1) }; return await host.files.read(a)`,
      fails('error'),
      { options },
    ),
    attempt(
      'a forged result',
      `const real = JSON.parse; JSON.parse = () => 'forged'; return await host.files.read('a.txt')`,
      gives('allowed'),
      { options },
    ),
    attempt('a flood of lines', `for (let i = 0; i < 1e5; i += 1) host.log('x'); return 1`, gives(1), { options }),
    attempt('long lines', `for (let i = 0; i < 100; i += 1) host.log('x'.repeat(1e5)); return 1`, gives(1), {
      options,
    }),
    attempt('lines that throw', `host.log({ toString() { throw 1 }, toJSON() { throw 2 } })`, fails('error'), {
      options,
    }),
    attempt('calls that nothing waits for', `host.http.get('http://x/').catch(() => 0); return 1`, gives(1), {
      options,
    }),
  ];
}
