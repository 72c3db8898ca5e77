import { type Random, seededRandom } from '../../src/lib/random.js';

/**
 * Secrets in the formats of their issuers, invented when the tests run, and ordinary texts that only look like them. The facts
 * on formats (prefix, alphabet, length) come from the issuers' documentation and the rule sets of gitleaks (MIT), secretlint
 * (MIT) and kingfisher (Apache-2.0); no text of theirs is here.
 */
export interface Fixture {
  readonly shape: string;
  readonly text: string;
  /** Parts that must not be left. */
  readonly secrets: readonly string[];
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const ALPHABETS: Readonly<Record<string, string>> = {
  w: LOWER + UPPER + DIGITS,
  l: LOWER + DIGITS,
  n: `${LOWER}${UPPER}${DIGITS}-_`,
  b: `${LOWER}${UPPER}${DIGITS}+/`,
  h: '0123456789abcdef',
  U: UPPER + DIGITS,
  d: DIGITS,
};

/** `{w40}`: 40 characters of the alphabet `w`; `+` in front of the length lets it vary. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the dollar signs belong to the formats.
const ISSUED: Readonly<Record<string, string>> = {
  openai: 'sk-{w48}',
  'openai-project': 'sk-proj-{n74}T3BlbkFJ{n74}',
  'openai-service': 'sk-svcacct-{n58}',
  openrouter: 'sk-or-v1-{h64}',
  deepseek: 'sk-{h32}',
  anthropic: 'sk-ant-api03-{n93}AA',
  'anthropic-admin': 'sk-ant-admin01-{n93}AA',
  google: 'AIza{n35}',
  'google-gemini': 'AQ.Ab8{n50}',
  'google-client': 'GOCSPX-{n28}',
  'google-access': 'ya29.{n120}',
  'google-refresh': '1//0{n60}',
  together: 'tgp_v1_{n43}',
  cerebras: 'csk-{l48}',
  elevenlabs: 'sk_{h48}',
  voyage: 'pa-{n43}',
  jina: 'jina_{h32}{w28}',
  brave: 'BSA{n28}',
  firecrawl: 'fc-{h32}',
  pinecone: 'pcsk_{w6}_{w60}',
  wandb: 'wandb_v1_{n40}',
  groq: 'gsk_{w52}',
  xai: 'xai-{w80}',
  perplexity: 'pplx-{w48}',
  fireworks: 'fw_{w24}',
  nvidia: 'nvapi-{n64}',
  tavily: 'tvly-{w32}',
  langsmith: 'lsv2_pt_{h32}_{h10}',
  langfuse: 'sk-lf-{h8}-{h4}-{h4}-{h4}-{h12}',
  replicate: 'r8_{w37}',
  huggingface: 'hf_{w34}',
  cursor: 'key_{h64}',
  e2b: 'e2b_{h40}',
  daytona: 'dtn_{h64}',
  modal: 'ak-{w22}',
  'modal-secret': 'as-{w22}',
  apify: 'apify_api_{w36}',
  runpod: 'rpa_{U46}',
  aws: 'AKIA{U16}',
  'aws-session': 'ASIA{U16}',
  'aws-bedrock': 'ABSK{b120}',
  'aws-bedrock-short': 'bedrock-api-key-{b60}',
  'azure-client': '{w3}8Q~{w34}',
  'azure-openai': '{w52}JQQJ99{w26}',
  'azure-storage': '{b76}+ASt{b6}==',
  'azure-devops': '{w76}AZDO{w4}',
  vercel: 'vcp_{w56}',
  'vercel-blob': 'vercel_blob_rw_{w16}_{w30}',
  netlify: 'nfp_{w36}',
  render: 'rnd_{w32}',
  fly: 'fo1_{n43}',
  'fly-machine': 'fm2_{b120}',
  cloudflare: 'cfat_{w40}{h8}',
  'cloudflare-origin': 'v1.0-{h24}-{h146}',
  heroku: 'HRKU-AA{n58}',
  digitalocean: 'dop_v1_{h64}',
  alibaba: 'LTAI{w20}',
  tailscale: 'tskey-auth-{w16}-{w32}',
  openshift: 'sha256~{n43}',
  prefect: 'pnu_{w36}',
  pulumi: 'pul-{h40}',
  github: 'ghp_{w36}',
  'github-oauth': 'gho_{w36}',
  'github-app': 'ghs_{w36}',
  'github-fine': 'github_pat_{w22}_{w59}',
  gitlab: 'glpat-{n20}',
  'gitlab-deploy': 'gldt-{n20}',
  'gitlab-runner': 'glrt-t1_{n27}',
  npm: 'npm_{w36}',
  pypi: 'pypi-AgEIcHlwaS5vcmc{n100}',
  rubygems: 'rubygems_{h48}',
  docker: 'dckr_pat_{n27}',
  cargo: 'cio{w32}',
  nuget: 'oy2{l43}',
  artifactory: 'AKCp{w69}',
  circleci: 'CCIPAT_{w22}_{h40}',
  buildkite: 'bkua_{h40}',
  sonar: 'squ_{h40}',
  sourcegraph: 'sgp_{h16}_{h40}',
  octopus: 'API-{U26}',
  postman: 'PMAK-{h24}-{h34}',
  vault: 'hvs.{n95}',
  'vault-old': 's.{w24}',
  'one-password': 'ops_eyJ{w250}',
  age: 'AGE-SECRET-KEY-1{U58}',
  doppler: 'dp.pt.{w43}',
  infisical: 'st.{h24}.{h32}.{h32}',
  databricks: 'dapi{h32}',
  neon: 'napi_{l64}',
  planetscale: 'pscale_tkn_{n43}',
  'planetscale-password': 'pscale_pw_{n43}',
  supabase: 'sbp_{h40}',
  'supabase-secret': 'sb_secret_{n31}',
  mongodb: 'mdb_sa_sk_{w40}',
  terraform: '{w14}.atlasv1.{n64}',
  contentful: 'CFPAT-{n43}',
  airtable: 'pat{w14}.{h64}',
  sentry: 'sntryu_{h64}',
  grafana: 'glsa_{w32}_{h8}',
  'grafana-cloud': 'glc_{b60}',
  'new-relic': 'NRAK-{U27}',
  dynatrace: 'dt0c01.{U24}.{U64}',
  posthog: 'phx_{w43}',
  okta: '00{n40}',
  stripe: 'sk_live_{w24}',
  'stripe-restricted': 'rk_live_{w99}',
  'stripe-webhook': 'whsec_{w32}',
  square: 'sq0atp-{n22}',
  paypal: 'A21AA{n92}',
  adyen: 'AQEyhmfx{b40}-{b30}=-{w16}',
  plaid: 'access-production-{h8}-{h4}-{h4}-{h4}-{h12}',
  shippo: 'shippo_live_{h40}',
  easypost: 'EZAK{w54}',
  slack: 'xoxb-{d12}-{d12}-{w24}',
  'slack-app': 'xapp-1-A{U10}-{d13}-{h64}',
  'slack-webhook': 'https://hooks.slack.com/services/T{U8}/B{U8}/{w24}',
  'discord-webhook': 'https://discord.com/api/webhooks/{d18}/{n68}',
  'teams-webhook': 'https://acme.webhook.office.com/webhookb2/{h36}@{h36}/IncomingWebhook/{h32}/{h36}',
  sendgrid: 'SG.{n22}.{n43}',
  mailgun: 'key-{h32}',
  mailchimp: '{h32}-us12',
  brevo: 'xkeysib-{h64}-{w16}',
  resend: 're_{w8}_{w24}',
  twilio: 'SK{h32}',
  telegram: '{d10}:AA{n33}',
  shopify: 'shpat_{h32}',
  linear: 'lin_api_{w40}',
  notion: 'ntn_{d11}{w35}',
  atlassian: 'ATATT3xFfGF0{n180}={h8}',
  asana: '2/{d16}/{d16}:{h32}',
  clickup: 'pk_{d8}_{U32}',
  figma: 'figd_{n40}',
  intercom: 'dG9rO{b55}=',
  hubspot: 'pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}',
  typeform: 'tfp_{n44}',
  adobe: 'p8e-{l32}',
  frameio: 'fio-u-{n64}',
  harness: 'pat.{n22}.{w24}.{w20}',
  launchdarkly: 'sdk-{h8}-{h4}-{h4}-{h4}-{h12}',
  readme: 'rdme_{l70}',
  ionic: 'ion_{l42}',
  adafruit: 'aio_{w28}',
  clojars: 'CLOJARS_{h60}',
  maxmind: '{w6}_{w29}_mmk',
  duffel: 'duffel_live_{n43}',
  scalingo: 'tk-us-{n48}',
  settlemint: 'sm_pat_{w16}',
  infracost: 'ico-{w32}',
  flutterwave: 'FLWSECK_TEST-{h32}-X',
  jwt: 'eyJ{w33}.eyJ{w60}.{n43}',
  'jwe-direct': 'eyJ{w40}..{n16}.{n60}.{n22}',
  jwe: 'eyJ{w40}.{n86}.{n16}.{n60}.{n22}',
  bcrypt: '$2b$12${w53}',
  'crypt-sha512': '$6${w16}${w86}',
  argon2: '$argon2id$v=19$m=65536,t=3,p=4${w22}${w43}',
  apache: '$apr1${w8}${w22}',
};
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above.

/** Names whose value is a secret however it looks. */
const NAMES = (
  'DB_PW|ROOT_PW|db.password|passwords|user_passwd|PGPASSWORD|MYSQL_PWD|spring.datasource.password|bindpw|psk|wpa_psk|' +
  'requirepass|client_secret|CONSUMER_SECRET|api-key|x-api-key|aws_session_token|JWT_SECRET|SECRET_KEY_BASE|cookie|passphrase|' +
  'mot_de_passe|motDePasse|contraseña|contrasena|senha|Kennwort|DB_PASSWORT|wachtwoord|hasło|heslo|lösenord|parola|şifre|' +
  'пароль|секрет|密码|数据库密码|密钥|パスワード|비밀번호|סיסמה|passord|salasana|kata_sandi'
).split('|');
/** Names whose value is a secret where it looks like one. */
const RANDOM_NAMES =
  'OPENAI_KEY|STRIPE_KEY|MAPS_KEY|deploy_token|GH_PAT|sas_token|webhook_signature|clave|chave|jeton'.split('|');

type Make = (pick: Pick) => { readonly text: string; readonly secrets: readonly string[] };
type Pick = (pattern: string) => string;

const one = (secret: string, text: string) => ({ text, secrets: [secret] });

const COMMANDS: Readonly<Record<string, Make>> = {
  'mysql -p': (pick) => with_(pick('hun{w9}'), (pw) => `Command failed: mysql -h db -u root -p${pw} shop`),
  'mysqldump -p': (pick) =>
    with_(pick('{w8}'), (pw) => `mysqldump --single-transaction -uadmin -p'${pw}' shop > x.sql`),
  sshpass: (pick) => with_(pick('{w10}'), (pw) => `sh: sshpass -p ${pw} ssh root@10.0.0.1 uptime: not found`),
  'redis-cli': (pick) => with_(pick('{w12}'), (pw) => `redis-cli -h cache -a ${pw} ping`),
  ldapsearch: (pick) => with_(pick('{w12}'), (pw) => `ldapsearch -x -D cn=admin -w ${pw} -b dc=example`),
  'docker login': (pick) => with_(pick('{w12}'), (pw) => `docker login registry.example.com -u ci -p ${pw}`),
  'curl -u': (pick) => with_(pick('{w10}'), (pw) => `curl -s -u admin:${pw} https://example.com/x`),
  'curl header': (pick) => with_(pick('{w20}'), (pw) => `curl -H 'X-Api-Key: ${pw}' https://example.com`),
  flag: (pick) => with_(pick('{w12}'), (pw) => `spawn deploy --password ${pw} --region eu`),
  'flag with =': (pick) => with_(pick('{w12}'), (pw) => `deploy --db-password=${pw} --dry-run`),
  'flags as a list': (pick) => with_(pick('{w12}'), (pw) => `spawn(["deploy","--password","${pw}","--now"])`),
  'mysql as a list': (pick) => with_(pick('{w12}'), (pw) => `spawn(['mysql','-uroot','-p${pw}','shop'])`),
  sqlcmd: (pick) => with_(pick('{w12}'), (pw) => `sqlcmd -S db -U sa -P ${pw} -Q "select 1"`),
  'slapd.conf': (pick) => with_(pick('{w12}'), (pw) => `binddn cn=admin\nbindpw ${pw}\n`),
  'token with =': (pick) => with_(pick('{h8}-{h4}-4{h3}-a{h3}-{h12}'), (pw) => `GET /x?token=${pw} 401`),
  zip: (pick) => with_(pick('{w12}'), (pw) => `7z x -p${pw} archive.7z failed with 2`),
  netrc: (pick) => with_(pick('{w8}7'), (pw) => `machine api.example.com login bot password ${pw}`),
  'go dsn': (pick) => with_(pick('{w12}'), (pw) => `dial app:${pw}@tcp(db:3306)/shop?parseTime=true`),
  'oracle dsn': (pick) => with_(pick('{w12}'), (pw) => `jdbc:oracle:thin:scott/${pw}@//db:1521/orcl`),
  'jdbc query': (pick) => with_(pick('{w12}'), (pw) => `jdbc:mysql://db/shop?user=app&password=${pw}&ssl=1`),
  'odbc string': (pick) => with_(pick('{w12}'), (pw) => `Driver={X};Server=db;Uid=sa;Pwd=${pw};Database=shop`),
  postgres: (pick) => with_(pick('{w12}'), (pw) => `could not connect to postgresql+psycopg://app:${pw}@db:5432/x`),
  amqp: (pick) => with_(pick('{w12}'), (pw) => `amqps://worker:${pw}@mq.example.com/vhost refused`),
  redis: (pick) => with_(pick('{w12}'), (pw) => `redis://:${pw}@cache:6379/0`),
  'auth pair': (pick) => with_(pick('{w12}'), (pw) => `requests.get(url, auth=('bot', '${pw}'))`),
  'auth list': (pick) => with_(pick('{w12}'), (pw) => `{ auth: ["bot", "${pw}"], timeout: 5 }`),
  'password list': (pick) => with_(pick('{w12}'), (pw) => `{"passwords": ["${pw}", "${pw}x"]}`),
  element: (pick) => with_(pick('{w12}'), (pw) => `<Password>${pw}</Password>`),
  spoken: (pick) => with_(pick('{w6}7{w5}9'), (pw) => `the password is ${pw}, do not share it`),
  bearer: (pick) => with_(pick('{w40}'), (pw) => `Authorization: Bearer ${pw}`),
  basic: (pick) => with_(btoa(pick('bot:{w20}')), (pw) => `authorization: Basic ${pw}`),
  cookie: (pick) => with_(pick('{w24}'), (pw) => `Set-Cookie: sid=${pw}; HttpOnly`),
  'query code': (pick) => with_(pick('4/0A{n30}'), (pw) => `GET /callback?code=${pw}&scope=x 400`),
  'query token': (pick) => with_(pick('{w32}'), (pw) => `GET /login?t=${pw} failed`),
  'saved signature': (pick) =>
    with_(pick('{w43}'), (pw) => `https://x.blob.core.windows.net/c?sv=2022&sig=${pw}%3D&se=1`),
  'pem body': (pick) => {
    const lines = [`MIIEpAIBAAK${pick('{b53}')}`, ...Array.from({ length: 5 }, () => pick('{b64}')), pick('{b30}==')];
    return { text: `key was:\n${lines.join('\n')}\n`, secrets: lines };
  },
  'pem middle': (pick) => {
    const lines = [...Array.from({ length: 6 }, () => pick('{b64}')), pick('{b30}==')];
    return { text: `rest:\n${lines.join('\n')}\n`, secrets: lines };
  },
  'pem in one line': (pick) => {
    const body = pick('{b200}');
    return one(body, `"-----BEGIN PRIVATE KEY-----\\n${body}\\n-----END PRIVATE KEY-----\\n"`);
  },
};

function with_(secret: string, text: (secret: string) => string): { text: string; secrets: readonly string[] } {
  return one(secret, text(secret));
}

const ESC = '\u001b';
const WRAPS: Readonly<Record<string, (key: string) => string>> = {
  colour: (key) => `used ${ESC}[31m${key}${ESC}[0m twice`,
  'grep colour': (key) => `X=${ESC}[01;31m${ESC}[K${key}${ESC}[m${ESC}[K`,
  'colour inside': (key) => `${key.slice(0, 6)}${ESC}[1m${key.slice(6, 14)}${ESC}[22m${key.slice(14)}`,
  'escaped colour': (key) => `log: \\u001b[31m${key}\\u001b[0m`,
  'escaped colour twice': (key) => `log: \\\\x1b[1;32m${key}`,
  'octal colour': (key) => `printf \\033[33m${key}`,
  'colour without escape': (key) => `x [31m${key}[0m`,
  'colour in an address': (key) => `a%1B%5B31m${key}`,
  'title sequence': (key) => `${ESC}]0;${key}\u0007 done`,
  'literal line break': (key) => `a\\n${key}\\n`,
  'double JSON': (key) => JSON.stringify(JSON.stringify(`\n${key}`)),
  'URL value': (key) => `k%3D${encodeURIComponent(key)}%26x`,
  'URL, every sign': (key) => `k%3D${key.replace(/[-_.]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`,
  'URL twice': (key) => `k%253D${key.replace(/[-_.]/g, (sign) => `%25${sign.charCodeAt(0).toString(16)}`)}`,
  entity: (key) => `value=&quot;${key}&quot;`,
  'numeric entity': (key) => `&#x27;${key}&#39;`,
  'zero width': (key) => `${key.slice(0, 9)}\u200b${key.slice(9)}`,
  'zero width between all': (key) => [...key].join('\u200d'),
  'soft hyphen': (key) => `${key.slice(0, 12)}\u00ad${key.slice(12)}`,
  'full width': (key) => key.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  base64: (key) => `payload ${btoa(`token is ${key}`)}`,
  'base64 of the key': (key) => `data ${btoa(key)} end`,
  hex: (key) => `raw ${[...key].map((sign) => sign.charCodeAt(0).toString(16)).join('')}`,
  'line break': (key) => `key:\n  ${key.slice(0, 15)}\n  ${key.slice(15)}\ndone`,
  concatenation: (key) => `const k = "${key.slice(0, 14)}" + "${key.slice(14)}";`,
  'list items': (key) => `["${key.slice(0, 14)}", "${key.slice(14)}"]`,
  glued: (key) => `key_${key}`,
  dashes: (key) => `--${key}`,
  markdown: (key) => `**${key}**`,
};
const WRAPPED = ['openai-project', 'github', 'groq', 'stripe'];

export function pickFrom(random: Random): Pick {
  const draw = (alphabet: string) => alphabet[Math.floor(random() * alphabet.length)] ?? '';
  return (pattern) =>
    pattern.replace(/\{([a-zA-Z])(\d+)\}/g, (_, name: string, length: string) =>
      Array.from({ length: Number(length) }, () => draw(ALPHABETS[name] ?? '')).join(''),
    );
}

/** One of each, in the order of the tables; `lengthen` makes every random body so much longer than its issuer does. */
export function secretFixtures(seed: number): readonly Fixture[] {
  const pick = pickFrom(seededRandom(seed));
  const fixtures: Fixture[] = issued(seed, 0);
  for (const name of NAMES) {
    const secret = pick('{w4}7{w5}b');
    const text = fixtures.length % 2 === 0 ? `{"${name}": "${secret}", "retries": 3}` : `${name}=${secret}`;
    fixtures.push({ shape: `name ${name}`, text, secrets: [secret] });
  }
  for (const name of RANDOM_NAMES) {
    const secret = pick('{w11}4{w11}7{w3}');
    fixtures.push({ shape: `name ${name}`, text: `${name}=${secret}`, secrets: [secret] });
  }
  for (const [shape, make] of Object.entries(COMMANDS)) fixtures.push({ shape, ...make(pick) });
  for (const [index, [shape, wrap]] of Object.entries(WRAPS).entries()) {
    for (const issuer of [WRAPPED[index % 4] ?? '', WRAPPED[(index + 1) % 4] ?? '']) {
      const key = pick(ISSUED[issuer] ?? '');
      const text = wrap(key);
      fixtures.push({ shape: `${issuer} in ${shape}`, text, secrets: piecesLeft(text, key) });
    }
  }
  return fixtures;
}

/** Keys of issuers in a plain sentence. */
export function issued(seed: number, lengthen: number): Fixture[] {
  const pick = pickFrom(seededRandom(seed));
  return Object.entries(ISSUED).map(([shape, pattern]) => {
    const longer = pattern.replace(
      /\{([nwlb])(\d\d+)\}/g,
      (_, name, length) => `{${name}${Number(length) + lengthen}}`,
    );
    const secret = pick(longer);
    return { shape, text: `request with ${secret} was rejected`, secrets: [secret.replace(/^https:\/\/[^/]*\//, '')] };
  });
}

/** Runs of the text that hold letters of the key: none of them may be left whole. */
function piecesLeft(text: string, key: string): readonly string[] {
  if (text.includes(key)) return [key];
  const runs = text.match(/(?:[A-Za-z0-9_+/=%-]|[\uff01-\uff5e]|\u200b|\u200d|\u00ad){16,}/g) ?? [];
  return runs.length > 0 ? runs : [text];
}

const WORDS =
  'order user cache index report invoice worker queue batch model prompt agent session trace build deploy'.split(' ');

/** Texts without a secret in them. */
export function ordinaryFixtures(seed: number): readonly string[] {
  const random = seededRandom(seed);
  const pick = pickFrom(random);
  const word = () => WORDS[Math.floor(random() * WORDS.length)] ?? '';
  const uuid = () => pick('{h8}-{h4}-4{h3}-a{h3}-{h12}');
  const makers: readonly (() => string)[] = [
    () => `xoxo-love-you-${word()}`,
    () => 'OPENAI_API_KEY=your-api-key-here',
    () => 'PASSWORD=changeme',
    () => `primary_key: ${word()}_id, sort_key: created_at`,
    () => `idempotency_key=${uuid()}`,
    () => `cache_key=${word()}:${pick('{d6}')}:v2`,
    () => `partition key ${word()}-${pick('{d4}')} not found`,
    () => `KeyError: '${word()}'`,
    () => `task-${word()}-${pick('{d3}')} of desk-${word()} done`,
    () => `risk-${word()}-assessment-for-2026-quarter-${pick('{d1}')}`,
    () => `disk-usage-of-${word()}-volume-is-${pick('{d2}')}-percent`,
    () => `commit ${pick('{h40}')}`,
    () => `sha256:${pick('{h64}')}`,
    () => `etag "${pick('{h32}')}"`,
    () => `md5 ${pick('{h32}')} ok`,
    () => `request id req_${pick('{w24}')}`,
    () => `msg_01${pick('{w22}')}`,
    () => `toolu_01${pick('{w22}')}`,
    () => `chatcmpl-${pick('{w29}')}`,
    () => `call_${pick('{w24}')} finished`,
    () => `run_${pick('{w24}')} of thread_${pick('{w24}')}`,
    () => `resp_${pick('{h48}')}`,
    () => `trace ${pick('{h32}')} span ${pick('{h16}')}`,
    () => `traceparent: 00-${pick('{h32}')}-${pick('{h16}')}-01`,
    () => `integrity sha512-${pick('{b86}')}==`,
    () => `data:image/png;base64,iVBORw0KGgo${pick('{b100}')}`,
    () => `max_tokens=${pick('{d4}')} prompt_tokens: ${pick('{d4}')}`,
    () => `Unexpected token ${word()} in JSON at position ${pick('{d3}')}`,
    () => `invalid password for user "${word()}"`,
    () => 'token expired, please log in again',
    () => `password: z.string().min(${pick('{d1}')})`,
    () => `const apiKey = process.env.${word().toUpperCase()}_API_KEY;`,
    () => `export API_KEY=$${word().toUpperCase()}_KEY`,
    () => `api_key: <your key>`,
    () => `Authorization: Bearer <token>`,
    () => `ssh -p 2222 ${word()}@host.example.com`,
    () => `docker run -p 8080:80 -d ${word()}:latest`,
    () => `mkdir -p /var/lib/${word()}/data`,
    () => `mysql -u root -p ${word()} < dump.sql`,
    () => `cp -pr /srv/${word()} /backup`,
    () => `10:3${pick('{d1}')}:22 ${word()} started`,
    () => `/home/app/src/${word()}/very/long/path/to/some/module/${word()}.ts:12:5`,
    () => `s3://${word()}-bucket/2026/11/${pick('{h8}')}/part-0000${pick('{d1}')}.parquet`,
    () => `https://example.com/${word()}?page=${pick('{d1}')}&sort=name&state=open`,
    () => `https://example.com/p/${uuid()}?t=12s`,
    () => `arn:aws:s3:::${word()}-${pick('{d12}')}`,
    () => `epoch 17${pick('{d11}')} ms`,
    () => `snowflake id 1${pick('{d18}')}`,
    () => `isbn 978-3-16-${pick('{d6}')}-0`,
    () => `the key to ${word()} is practice`,
    () => `${word()}AbstractSingletonProxyFactoryBeanConfigurationProviderImpl2`,
    () => `ERR_${word().toUpperCase()}_UNSUPPORTED_DIRECTORY_IMPORT_RESOLUTION_2`,
    () => `${word()}_some_long_snake_case_identifier_with_many_words_v2`,
    () => `${ESC}[32m✓${ESC}[39m ${word()} passed in ${pick('{d2}')} ms`,
    () => `Farben: \\u001b[31m${word()}\\u001b[0m`,
    () => `C:\\new\\tools\\${word()}\\report.txt not found`,
    () => `${encodeURIComponent(`a b&c=${word()}/${word()}`)} was requested`,
    () => `Zeit: ${word()}, Schlüsselwort fehlt, Größe ${pick('{d3}')}`,
    () => `文件未找到: ${word()}.txt 第 ${pick('{d2}')} 行`,
    () => `ファイルが見つかりません: ${word()}`,
    () => `["${word()}", "${word()}", "${word()}"] has ${pick('{d1}')} items`,
    () => `"${word()}" + "${word()}" = ${pick('{d2}')}`,
    () => `version 1.${pick('{d2}')}.0-rc.1+build.${pick('{d5}')}`,
    () => `pod ${word()}-${pick('{l10}')}-${pick('{l5}')} evicted`,
    () => `author: ${word()}, signature of method ${word()}() does not match`,
    () => `Signature: ${word()}(a: string, b: number): void`,
    () => `otp sent to your phone, auth: required, pass: ${pick('{d2}')}`,
    () => `bearer of the ${word()} must sign; basic ${word()} plan`,
    () => `<key>${word()}</key><string>${word()}</string>`,
    () => `-----BEGIN CERTIFICATE-----`,
    () => `re_${word()}_export and fc-${word()} and pa-${word()} are file names`,
    () => `pat-${word()} walked the dog; st. ${word()} street; s.${word()}.length`,
    () => `AC ${pick('{d4}')} SK ${pick('{d4}')} API-${word().toUpperCase()}`,
    () => `BSA${word().toUpperCase()} report, AQ.${word()}.pdf`,
    () => `ak-${word()}-${word()}-server as-${word()}-code-of-the-client`,
  ];
  return Array.from({ length: 300 }, (_, index) => (makers[index % makers.length] ?? word)());
}
