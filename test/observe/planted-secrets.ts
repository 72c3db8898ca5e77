import { type Random, seededRandom } from '../../src/lib/random.js';

/** Secrets made up from a seed, in the shapes their issuers give them, and the places where they turn up. */
export interface Planted {
  readonly shape: string;
  readonly place: string;
  readonly secret: string;
  /** Texts that must not be found afterwards: the secret, or each of its lines. */
  readonly pieces: readonly string[];
  /** Fields of an outcome that hold it. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const WORD = LOWER + UPPER + DIGITS;
const URL_SAFE = `${WORD}-_`;
const BASE64 = `${WORD}+/`;

type Pick = (alphabet: string, length: number) => string;

const SHAPES: Readonly<Record<string, (pick: Pick) => string>> = {
  openai: (pick) => `sk-${pick(WORD, 48)}`,
  'openai-project': (pick) => `sk-proj-${pick(URL_SAFE, 60)}7${pick(WORD, 3)}`,
  anthropic: (pick) => `sk-ant-api03-${pick(URL_SAFE, 90)}AA`,
  'github-classic': (pick) => `ghp_${pick(WORD, 36)}`,
  'github-fine': (pick) => `github_pat_${pick(WORD, 22)}_${pick(WORD, 59)}`,
  gitlab: (pick) => `glpat-${pick(URL_SAFE, 19)}x`,
  'aws-id': (pick) => `AKIA${pick(`${UPPER}234567`, 16)}`,
  'aws-secret': (pick) => `A1b${pick(BASE64, 34)}Z9q`,
  google: (pick) => `AIza${pick(URL_SAFE, 34)}k`,
  slack: (pick) => `xoxb-${pick(DIGITS, 12)}-${pick(DIGITS, 12)}-${pick(WORD, 24)}`,
  'slack-webhook': (pick) => `https://hooks.slack.com/services/T${pick(UPPER, 8)}/B${pick(UPPER, 8)}/${pick(WORD, 24)}`,
  stripe: (pick) => `sk_live_${pick(WORD, 24)}`,
  npm: (pick) => `npm_${pick(WORD, 36)}`,
  huggingface: (pick) => `hf_${pick(WORD, 34)}`,
  'azure-secret': (pick) => `${pick(WORD, 3)}8Q~${pick(WORD, 34)}`,
  'azure-storage': (pick) => `AccountKey=${pick(BASE64, 86)}==`,
  sendgrid: (pick) => `SG.${pick(URL_SAFE, 22)}.${pick(URL_SAFE, 43)}`,
  twilio: (pick) => `SK${pick(HEX, 32)}`,
  jwt: (pick) => `eyJ${pick(WORD, 33)}.eyJ${pick(WORD, 60)}.${pick(URL_SAFE, 43)}`,
  pem: (pick) => {
    const body = Array.from({ length: 6 }, () => pick(BASE64, 64)).join('\n');
    return `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`;
  },
  'url-password': (pick) => `postgres://app:${pick(WORD, 14)}@db.internal:5432/main`,
  card: (pick) => withLuhnDigit(`4${pick(DIGITS, 14)}`),
  'bearer-header': (pick) => `Bearer ${pick(WORD, 32)}1`,
  'basic-header': (pick) => `Basic ${btoa(`admin:${pick(WORD, 12)}`)}`,
  'named-password': (pick) => `password=${pick(WORD, 12)}7`,
  'named-key': (pick) => `"api_key": "${pick(WORD, 32)}"`,
  cookie: (pick) => `Cookie: sid=${pick(WORD, 24)}; theme=dark`,
};

/** Shapes that stay recognisable when a line break falls into them. */
const SPLITTABLE = new Set([
  'openai',
  'anthropic',
  'github-classic',
  'aws-secret',
  'google',
  'npm',
  'huggingface',
  'jwt',
]);

const PLACES: Readonly<Record<string, (secret: string, random: Random) => Readonly<Record<string, unknown>>>> = {
  message: (secret) => ({ error: `401 Unauthorized: request with ${secret} was rejected` }),
  'end of message': (secret) => ({ error: new Error(`cannot connect using ${secret}`) }),
  stack: (secret) => ({ context: { stack: `Error: failed\n    at call (${secret})\n    at run (/app/main.js:10:5)` } }),
  url: (secret) => ({ context: { url: `https://api.example.com/v1/items?key=${encodeURIComponent(secret)}&page=2` } }),
  headers: (secret) => ({ context: { headers: { Authorization: secret, accept: 'application/json' } } }),
  'raw headers': (secret) => ({ context: { rawHeaders: ['Host', 'example.com', 'X-Api-Key', secret] } }),
  'nested key': (secret) => ({ context: { request: { config: [{ clientSecret: secret }] } } }),
  'JSON in a message': (secret) => ({
    error: `bad request: ${JSON.stringify({ detail: { note: `used ${secret}` } })}`,
  }),
  expected: (secret) => ({ expected: `answers to ${secret}`, actual: `no answer\nwith ${secret}` }),
  tag: (secret) => ({ tags: ['nightly', secret.slice(0, 190)] }),
};

export function plantSecrets(count: number, seed: number): Planted[] {
  const random = seededRandom(seed);
  const pick: Pick = (alphabet, length) =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
  const shapes = Object.entries(SHAPES);
  const places = Object.entries(PLACES);
  return Array.from({ length: count }, (_, index) => {
    const [shape, make] = shapes[index % shapes.length] ?? fail();
    const secret = make(pick);
    const [place, put] = places[Math.floor(index / shapes.length + index) % places.length] ?? fail();
    if (SPLITTABLE.has(shape) && random() < 0.3) {
      const at = 14 + Math.floor(random() * (secret.length - 24));
      const [head, tail] = [secret.slice(0, at), secret.slice(at)];
      const fields = { error: `request failed with\n  ${head}\n  ${tail}\n  at call` };
      return { shape, place: 'split over lines', secret, pieces: [head, tail], fields };
    }
    return { shape, place, secret, pieces: piecesOf(shape, secret), fields: put(secret, random) };
  });
}

/** Of what is planted with its name or around it, the part that is secret. */
function piecesOf(shape: string, secret: string): string[] {
  if (shape === 'pem') return secret.split('\n').slice(1, -1);
  if (shape === 'url-password') return [secret.slice('postgres://app:'.length, secret.indexOf('@'))];
  if (shape === 'slack-webhook') return [secret.slice(-24)];
  if (shape === 'named-key') return [secret.slice('"api_key": "'.length, -1)];
  if (shape === 'cookie') return [secret.slice('Cookie: sid='.length, -'; theme=dark'.length)];
  return [secret.replace(/^(?:Bearer |Basic |password=|AccountKey=)/, '')];
}

function withLuhnDigit(digits: string): string {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 48;
    sum += index % 2 === 0 ? (digit * 2 > 9 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function fail(): never {
  throw new Error('no such entry');
}

/** Lines as agents and services write them every day, with everything in them that only looks like a secret. */
export function ordinaryLines(count: number, seed: number): string[] {
  const random = seededRandom(seed);
  const pick: Pick = (alphabet, length) =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
  const number = (max: number) => Math.floor(random() * max);
  const uuid = () => `${pick(HEX, 8)}-${pick(HEX, 4)}-4${pick(HEX, 3)}-a${pick(HEX, 3)}-${pick(HEX, 12)}`;
  const makers: readonly (() => string)[] = [
    () => `commit ${pick(HEX, 40)} merged into main`,
    () => `request ${uuid()} took ${number(900)} ms`,
    () => `sha256:${pick(HEX, 64)} pulled from registry.example.com/app:1.${number(99)}`,
    () => `"integrity": "sha512-${pick(BASE64, 86)}=="`,
    () => `429 Too Many Requests: limit of ${number(9000)} tokens per minute reached`,
    () => `max_tokens: ${number(8192)}, temperature: 0.${number(10)}`,
    () => `usage: input_tokens=${number(9999)} output_tokens=${number(999)} total_tokens=${number(9999)}`,
    () => `SyntaxError: Unexpected token < in JSON at position ${number(500)}`,
    () => `Unexpected token: '}' at line ${number(500)}`,
    () => `AuthenticationError: invalid password for user "app"`,
    () => `error: password authentication failed for user "user${number(99)}"`,
    () => `Your session expired, token is missing or invalid`,
    () => `const token = await getToken(user.id, { scope: "read:${number(99)}" });`,
    () => `password: z.string().min(${number(20)}),`,
    () => `export interface Login { readonly password: string; readonly apiKey: string }`,
    () => `process.env.OPENAI_API_KEY is not set: export OPENAI_API_KEY=$YOUR_KEY`,
    () => `Authorization header is missing`,
    () => `at Object.<anonymous> (/home/user${number(99)}/project/src/loader.ts:${number(300)}:${number(90)})`,
    () => `GET https://api.example.com/v1/users/${number(99999)}?page=${number(9)}&sort=name 200`,
    () => `connect ECONNREFUSED 10.${number(255)}.${number(255)}.1:${number(65535)}`,
    () =>
      `2026-0${1 + number(9)}-1${number(9)}T0${number(9)}:1${number(9)}:00.${number(999)}Z INFO worker-${number(64)} started`,
    () => `data:image/png;base64,iVBORw0KGgo${pick(BASE64, 120)}==`,
    () => `call id: toolu_01${pick(WORD, 22)} finished`,
    () => `message id msg_01${pick(WORD, 22)}, model claude-sonnet-4-5-20250929`,
    () => `trace_id=${pick(HEX, 32)} span_id=${pick(HEX, 16)}`,
    () => `order ${pick(DIGITS, 16)} shipped`,
    () => `phone +1 555 01${pick(DIGITS, 2)} 4${pick(DIGITS, 3)}, postal code ${pick(DIGITS, 5)}`,
    () => `author: ada lovelace, keyboard: us, keynote: 10:${10 + number(50)}`,
    () => `foreign key constraint "fk_orders_user" on table orders violated (key: user_id=${number(9999)})`,
    () => `KeyError: 'session_${number(99)}'`,
    () => `the secret to a good cache is invalidation, step ${number(99)}`,
    () => `tokenizer: cl100k_base, vocab: ${number(99999)}`,
    () => `import { createHash, timingSafeEqual } from 'node:crypto'; // line ${number(99)}`,
    () => `node_modules/@babel/helper-plugin-utils/lib/index.js:${number(999)}`,
    () => `k8s pod api-server-${pick(LOWER + DIGITS, 10)}-${pick(LOWER + DIGITS, 5)} restarted`,
    () => `cookie consent banner shown ${number(99)} times`,
    () => `s3://bucket-${number(99)}/path/to/some/long/object/name-${number(9999)}.parquet`,
    () => `author=alice@example.com reviewer=bob@example.com`,
    () => `arn:aws:iam::${pick(DIGITS, 12)}:role/DeployRole${number(99)}`,
    () => `-- SELECT id, name FROM users WHERE token_count > ${number(99)} --limit 10`,
    () => `npm ERR! code E404 npm ERR! 404 Not Found - GET https://registry.example.com/left-pad-${number(99)}`,
    () => `rate_limit_reset: ${1700000000 + number(9999999)}`,
    () => `ssh-ed25519 fingerprint SHA256:${pick(BASE64, 43)}`,
    () => `id: ${pick(URL_SAFE, 21)} created`,
    () => `pass: ${number(400)} fail: ${number(4)} skipped: ${number(9)}`,
    () => `Exit code ${number(3)}: [lint] ERROR task failed`,
  ];
  return Array.from({ length: count }, (_, index) => (makers[index % makers.length] ?? fail())());
}
