import { describe, expect, it } from 'vitest';
import { findNamedSecrets } from '../../src/observe/secret-values.js';
import type { Span } from '../../src/observe/span.js';

/** Returns the values that are found after a name. */
function found(text: string): string[] {
  const spans: Span[] = [];
  findNamedSecrets(text, spans);
  expect(spans.every(({ name }) => name === 'named')).toBe(true);
  return [...new Set(spans.map(({ start, end }) => text.slice(start, end)))];
}

const RANDOM = 'aZ3k9QxY7w';
const UUID = '0f8fad5b-d9cd-469f-a165-70867728950e';

describe('the value of a secret name', () => {
  it.each([
    ['password=hunter2 and more', 'hunter2'],
    ['password=swordfish, more', 'swordfish'],
    ['password=swordfish; more', 'swordfish'],
    ['password=swordfish&more=1', 'swordfish'],
    ['(password=swordfish)', 'swordfish'],
    ['{password=swordfish}', 'swordfish'],
    ['[password=swordfish]', 'swordfish'],
    ['<a password=swordfish>', 'swordfish'],
    ['password=swordfish|more', 'swordfish'],
    ['password=swordfish\\"', 'swordfish'],
    ['password="abc def" user', 'abc def'],
    ["password='abc def' user", 'abc def'],
    ['password=`abc def` user', 'abc def'],
    ['password="abc \\"def" user', 'abc \\"def'],
    ['password=\\"abc def\\" user', 'abc def'],
    ['password=\\\\\\"abc def\\\\\\" user', 'abc def'],
    ['{"password":"abc def"}', 'abc def'],
    ['{"password" : "abc def"}', 'abc def'],
    ["{'password': 'abc def'}", 'abc def'],
    ['`password`: `abc def`', 'abc def'],
    ['["password"]: "abc def"', 'abc def'],
    ['("password"): "abc def"', 'abc def'],
    ['\\"password\\": \\"abc def\\"', 'abc def'],
    ['password => "abc def"', 'abc def'],
    ['password: hunter2', 'hunter2'],
    ['password: 4711', '4711'],
    ['password: abc-def', 'abc-def'],
    ['password: swordfish', 'swordfish'],
    ['password:\n  hunter2', 'hunter2'],
    ['password: "abc', 'abc'],
    [`token: ${RANDOM}`, RANDOM],
    ['api key: hunter2', 'hunter2'],
    ['mot de passe : hunter2', 'hunter2'],
    ['My API Key: "abc def"', 'abc def'],
    ['пароль: hunter2', 'hunter2'],
    ['contraseña: hunter2', 'hunter2'],
    ['OPENAI.API-KEY_1=hunter2', 'hunter2'],
    [`https://host/a?key=${RANDOM}&x=1`, RANDOM],
    [`https://host/a?x=1&code=${RANDOM}`, RANDOM],
    ['Authorization: Basic dXNlcjpwYXNz', 'Basic dXNlcjpwYXNz'],
    ['Cookie: a=b; Path=/\nServer: x', 'a=b; Path=/'],
    ['connection string: Server=a;User=b', 'Server=a;User=b'],
    [`Authorization: Bearer ${RANDOM}`, `Bearer ${RANDOM}`],
    ['the password is Tr0ub4dor&3.', 'Tr0ub4dor&3'],
    ['invalid api key abc123def456, sorry', 'abc123def456'],
    ['secret was abc123def456!', 'abc123def456'],
    ["passphrase 'abc123def456'", 'abc123def456'],
    ['credentials are abc123def456)', 'abc123def456'],
    ['<password>hunter2</password>', 'hunter2'],
    ['<db:api-key type="x">abc def</db:api-key>', 'abc def'],
    ["auth: ['user', 'hunter2']", "'user', 'hunter2'"],
    ['passwords = ("one", "two")', '"one", "two"'],
    ['passwords=[`one`]', '`one`'],
    ['"passwords": [\\"one\\"]', '\\"one\\"'],
    ['passwords => ["one", "two"]', '"one", "two"'],
    ['connectionString: Server=a;User=b', 'Server=a;User=b'],
    ['api token: "abc def"', 'abc def'],
    [`per-key token: ${RANDOM}`, RANDOM],
    ['Passwort E-Mail: hunter2', 'hunter2'],
    ['count|password=swordfish', 'swordfish'],
    ['limit[password]=swordfish', 'swordfish'],
    ['error—password=swordfish', 'swordfish'],
    ['https://host/limit/password=swordfish', 'swordfish'],
    ['AUTHORIZATION: Basic dXNlcjpwYXNz', 'Basic dXNlcjpwYXNz'],
    ['PASSWORD_9=swordfish', 'swordfish'],
    ['--password swordfish', 'swordfish'],
    ['password=ab7"more"', 'ab7'],
    ['password: 7hunter(2', '7hunter(2'],
    ['password: dragon', 'dragon'],
    ['password: abc-de', 'abc-de'],
    ['password: abcd12', 'abcd12'],
    ['  password: swordfish', 'swordfish'],
    ['a first line\npassword: swordfish', 'swordfish'],
    ['password: swordfish  \nuser: ada', 'swordfish'],
    ['{\\"password\\":\\"ab\\\\\\\\\\",\\"user\\":\\"ada\\"}', 'ab'],
    [`token: v1-${UUID}`, `v1-${UUID}`],
    [`token: ${UUID}-a7`, `${UUID}-a7`],
    [`auth: "Bearer ${RANDOM}"`, `Bearer ${RANDOM}`],
    ['token: aZqKxYwB-kDlMnPq', 'aZqKxYwB-kDlMnPq'],
    ['credential is abc123def456', 'abc123def456'],
    ['token  is abc123def456', 'abc123def456'],
    ['apikey is abc123def456', 'abc123def456'],
    ['(the password is Tr0ub4dor&3).', 'Tr0ub4dor&3'],
    ['the password is Tr0u.b4dor&3', 'Tr0u.b4dor&3'],
  ])('is found in %j', (text, value) => {
    expect(found(text).map((one) => one.replace(/^["'`\\]+|["'`\\]+$/g, ''))).toContain(
      value.replace(/^["'`\\]+|["'`\\]+$/g, ''),
    );
  });

  it.each([
    'user=hunter2',
    'password_length: 12345678',
    'token_count=12345678',
    'db password: swordfish',
    'password: swordfish is wrong',
    'password:\n\nhunter2',
    'password = getPassword()',
    'password = (abc)',
    'password: {abc-def}',
    'password: [abc-def]',
    'password: user.password of it',
    'a password: user.password',
    'password: abc',
    'password: 123',
    'password: a.b-c',
    'password:',
    'password=',
    'password=null',
    'password: $PASSWORD',
    'password: <your password>',
    'Authorization: Bearer null',
    'token: swordfish',
    'token: 0f8fad5b-d9cd-469f-a165-70867728950e',
    'signature: (a: string) => void',
    `key: ${RANDOM}`,
    `xkey=${RANDOM}`,
    'the password is wrong',
    'the password is abcdefghij',
    'token is abc12',
    'secrets are abc123def456',
    '<user>hunter2</user>',
    '<token>abc123</token>',
    '<password>null</password>',
    '<password></password>',
    'tokens = [120, 80]',
    "keys: ['one', 'two']",
    'password',
    ': hunter2',
    'password = appConfig.dbSettings.userPassword',
    'const password = input.value;',
    'function login(password:userInput, x)',
    'password: abc ["one"]',
    'password: v2',
    'password:\nremember me',
    'password:\nremember',
    'password=" null "',
    '<password> null </password>',
    'Authorization: "Bearer  null"',
    `https://host/a?monkey=${RANDOM}`,
    `https://host/a?thread=${RANDOM}`,
    `https://host/a?keyboard=${RANDOM}`,
    `really? key=${RANDOM}`,
    'wrong password given by user today: attempt4711',
    'rotated secret key_id=a-7',
    "tokens: ['one', 'two']",
    'signature: "version 12 of 2026"',
    'token: 12/31/2026',
    'token: readAccessTokenFromVault',
    'the token is 12/31/2026 old',
    'the token is readAccessTokenFromVault',
    'secrets: 0.1234 per run',
    'secrets: 1234.5 per run',
  ])('is none in %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('ends after 8,192 characters, and a list is searched for its end in 1,024', () => {
    const [whole] = found(`password="${'a b '.repeat(4_000)}`);
    expect(whole).toHaveLength(8_192);
    expect(found(`password=${'ab1'.repeat(4_000)}`)[0]).toHaveLength(8_192);
    expect(found(`password=${'ab1'.repeat(4_000)} more`)[0]).toHaveLength(8_192);
    expect(found(`auth: ["${'a'.repeat(900)}"]`)[0]).toHaveLength(902);
    expect(found(`auth: ["${'a'.repeat(1_100)}"]`)).toEqual([]);
  });

  it('has a name of at most 80 characters', () => {
    expect(found(`${'x'.repeat(71)}_password=hunter2`)).toEqual(['hunter2']);
    expect(found(`password_${'x'.repeat(80)}=hunter2`)).toEqual([]);
  });

  it('is found by the end of a longer name, and if it ends like a placeholder after a long text', () => {
    expect(found(`${'x'.repeat(100)}_password=hunter2`)).toEqual(['hunter2']);
    expect(found(`password="${`${RANDOM} `.repeat(30)}here"`)).toHaveLength(1);
  });

  it('is found once if it holds a separator', () => {
    const spans: Span[] = [];
    findNamedSecrets('password="token=abc password=def"', spans);
    expect(spans).toHaveLength(1);
  });
});
