import { wordSet } from '../lib/word-set.js';

/** Names of keys, headers, variables and parameters that show that their value is a secret. */

/**
 * Strength of a name. `strong`: its value is a secret (`password`, `api_key`, `cookie`). `weak`: its value may be a
 * secret or not (`token`, `signature`), so the value has to look like one as well.
 */
export type SecretName = 'strong' | 'weak' | undefined;

const STRONG_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'password passwords passwd passwds pwd pwds pw pws passphrase passphrases passcode secret secrets apikey apikeys authtoken ' +
    'accesstoken refreshtoken idtoken sessiontoken bearertoken credential credentials creds authorization cookie cookies jwt ' +
    'accountkey accesskey secretkey privatekey signingkey encryptionkey sharedaccesskey sharedaccesssignature dsn psk bindpw ' +
    'rootpw userpw authtok storepass keypass dbpass userpass authkey htpasswd requirepass masterauth ' +
    // Other languages, as written in names. Accents are removed before the look-up.
    'passwort passworter kennwort zugangsdaten geheimnis motdepasse mdp contrasena contrasenas clavesecreta senha senhas ' +
    'palavrapasse wachtwoord wachtwoorden haslo hasla losenord adgangskode passord salasana sifre parola heslo jelszo lozinka ' +
    'katasandi matkhau slaptazodis parole parool',
);

/** Endings of words written together: `PGPASSWORD`, `dbpassword`. */
const STRONG_ENDS = /(?:password|passwort|passwd|passphrase|apikey|secretkey|authtoken|clientsecret)s?$/;

/** Words that name a secret only together: `api-key`, `private key`, `access_token`. */
const STRONG_PAIRS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'api-key api-keys api-token auth-token auth-key access-token access-key account-key refresh-token ' +
    'id-token session-token session-key bearer-token private-key secret-key master-key signing-key ' +
    'encryption-key service-key subscription-key csrf-token xsrf-token client-secret pass-word ' +
    'connection-string proxy-authorization security-token ssh-key admin-key admin-pass db-pass root-pass user-pass ' +
    'api-schlussel geheimer-schlussel privater-schlussel cle-api cle-secrete cle-privee clave-api clave-secreta ' +
    'clave-privada clave-acceso chave-api chave-secreta chave-privada chiave-api chiave-segreta chiave-privata ' +
    'kata-sandi mat-khau',
);

const WEAK_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'token tokens auth bearer signature sig pass pat otp key keys sas ticket jeton schlussel clave chave chiave sleutel klucz nyckel',
);

/** Names in other scripts or without spaces between words, so they are searched inside the name. */
const STRONG_PARTS =
  /密码|密碼|口令|密钥|密鑰|金鑰|秘钥|秘密鍵|暗証番号|令牌|パスワード|パスフレーズ|トークン|비밀번호|암호|пароль|пароли|секрет|токен|كلمة.?(?:المرور|السر)|पासवर्ड|סיסמה|סיסמא|รหัสผ่าน|κωδικός|κωδικος|συνθηματικό|mật.?khẩu/iu;
const LATIN_PARTS = /mot.?de.?passe|palavra.?passe/i;

/** Words for what is counted, described or configured about a secret: `token_count`, `password_length`. */
const HARMLESS_WORDS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'count counts length len limit limits budget usage used max min total type types expires expiry ' +
    'expiration expired ttl age enabled required policy url uri endpoint name path file hint strength ' +
    'field method mode status valid missing error errors per rate price cost',
);

/** Words that make a key harmless: such keys name rows, entries and events. */
const HARMLESS_KEYS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'primary foreign cache sort partition public idempotency object row translation i18n map hash lookup composite unique index ' +
    'shard routing message dedup dedupe deduplication group event metric config feature flag react record document doc storage ' +
    's3 redis candidate natural surrogate job task trace sentry issue jira project host known order query state memo label ' +
    'arrow enter escape tab shift ctrl alt hot short dict json param header column attribute property option setting',
);

const MAX_NAME_LENGTH = 80;

/** Parts of which every ASCII secret name contains one. */
const NAME_HINT =
  /pass|pw|secret|token|key|auth|cookie|cred|jwt|dsn|sig|pat|otp|bearer|connection|psk|sas|ticket|clave|chave|chiave|kennwort|geheim|zugang|schlu|mdp|cle[ _-]|contras|senha|wacht|sleutel|hasl|klucz|losenord|nyckel|adgang|salasana|sifre|parol|heslo|jelsz|lozinka|sandi|slapta|jeton/i;
/** The same for names beyond ASCII: accented Latin letters, and other scripts. */
const WIDE_HINT =
  /cl[eé]|contrase|wacht|has[lł]|l[oö]senord|[sş]ifre|jelsz|kh[aẩ]u|schl[uü]|[\u0370-\u05ff\u0600-\u06ff\u0900-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII, of which control characters are a part.
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** Returns whether a text may contain a secret name. A quick pre-check. */
export function hasNameHint(text: string): boolean {
  return NAME_HINT.test(text) || (BEYOND_ASCII.test(text) && WIDE_HINT.test(text));
}

/**
 * Returns how strongly a key, header or variable name indicates a secret, in any spelling: `apiKey`, `API_KEY`,
 * `x-api-key`, `openai.api.key`.
 */
export function secretName(name: string): SecretName {
  if (name.length < 2 || name.length > MAX_NAME_LENGTH || !hasNameHint(name)) return undefined;
  const words = splitWords(name);
  if (words.some((word) => HARMLESS_WORDS.has(word))) return undefined;
  if (words.some((_, index) => isStrong(words, index)) || hasStrongPart(name)) return 'strong';
  return words.some((word, index) => WEAK_WORDS.has(word) && !isHarmlessKey(word, words, index)) ? 'weak' : undefined;
}

/** Words for tokens that mark a place or a request: they are no secrets, and often UUIDs. */
const HARMLESS_TOKENS: ReadonlySet<string> = /* @__PURE__ */ wordSet(
  'page next prev previous continuation cursor cancel cancellation idempotency sync resume pagination scroll skip trace ' +
    'correlation request client change start last fencing lock lease write consistency concurrency',
);

/**
 * Returns whether a name is that of a token that grants access, so that even a UUID is a secret: `SNYK_TOKEN`, or
 * `token=` and `"token"` in code. `token` alone may be prose.
 */
export function namesToken(name: string, isCode: boolean): boolean {
  const words = splitWords(name);
  return (isCode || words.length > 1) && words.at(-1) === 'token' && !words.some((word) => HARMLESS_TOKENS.has(word));
}

/** Returns whether the word at this position is a secret's name, alone or together with the next one. */
function isStrong(words: readonly string[], index: number): boolean {
  const word = words[index] ?? '';
  return STRONG_WORDS.has(word) || STRONG_ENDS.test(word) || STRONG_PAIRS.has(`${word}-${words[index + 1] ?? ''}`);
}

function hasStrongPart(name: string): boolean {
  return LATIN_PARTS.test(name) || (BEYOND_ASCII.test(name) && STRONG_PARTS.test(name));
}

/** Returns whether `key` is harmless: it is the first word, is not the last one, or follows a word such as `row`. */
function isHarmlessKey(word: string, words: readonly string[], index: number): boolean {
  if (!/^keys?$/.test(word)) return false;
  return index === 0 || index < words.length - 1 || HARMLESS_KEYS.has(words[index - 1] ?? '');
}

function splitWords(name: string): string[] {
  const plain = BEYOND_ASCII.test(name) ? withoutAccents(name) : name;
  return plain
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function withoutAccents(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[łŁ]/g, 'l')
    .replace(/ı/g, 'i')
    .replace(/[øØ]/g, 'o');
}
