import { hasDigit, isCardNumber, looksLikeAwsSecret, looksLikeBasic, looksMixed, looksRandom } from './looks-random.js';

/** Secret that is recognised by its shape alone, in any context. */
export interface SecretShape {
  readonly name: string;
  /** A text without any of these cannot hold the shape. A plain search finds them before the pattern runs. */
  readonly hints: readonly string[];
  /** Whether a hint counts only if no letter or digit is directly before it. */
  readonly isWord: boolean;
  /**
   * Global and linear: no repetition inside a repetition, every repetition bounded or of one character class. Never
   * matches an empty text.
   */
  readonly pattern: RegExp;
  /** Final check of a match, for patterns that would also match ordinary text. */
  readonly accepts?: (match: string) => boolean;
}

/** No letter or digit directly before. Written as `~` at the start of a pattern. */
const EDGE = '(?<![A-Za-z0-9])';

type Accepts = (match: string) => boolean;
type PrefixRow = readonly [name: string, prefixes: string, body: keyof typeof BODIES, least: number, accepts?: Accepts];
type Row = readonly [name: string, hints: readonly string[], pattern: string, accepts?: Accepts | undefined];

const BODIES = {
  word: '[A-Za-z0-9]',
  name: '[A-Za-z0-9_-]',
  dots: '[A-Za-z0-9_.=-]',
  base64: '[A-Za-z0-9+/=_-]',
  hex: '[0-9a-fA-F]',
  capitals: '[A-Z0-9]',
} as const;

/**
 * Keys that begin with an issuer's prefix: the prefixes, the allowed characters and the minimum length after it.
 * Formats come from the issuers' documentation and the rule sets of gitleaks (MIT), secretlint (MIT) and kingfisher
 * (Apache-2.0). Lengths are below the real ones, because keys get longer and logs truncate them.
 * A short prefix needs a random body.
 */
const PREFIXED: readonly PrefixRow[] = [
  // Models and tools for agents.
  ['anthropic-key', 'sk-ant-', 'name', 16],
  ['openai-key', 'sk-proj- sk-svcacct- sk-admin- sk-or-v1- sk-None- sk-service-', 'name', 16],
  ['openai-key', '~sk-', 'name', 16, hasDigit],
  ['google-key', 'AIza', 'name', 30],
  ['google-key', '~AQ.', 'name', 30, looksMixed],
  ['google-token', 'ya29. GOCSPX-', 'dots', 20],
  ['google-token', '~1//0', 'name', 30],
  ['together-key', '~tgp_v1_', 'name', 24],
  ['cerebras-key', '~csk-', 'word', 24, looksMixed],
  ['elevenlabs-key', '~sk_', 'hex', 32, hasDigit],
  ['voyage-key', '~pa-', 'name', 30, looksMixed],
  ['jina-key', '~jina_', 'word', 30],
  ['brave-key', '~BSA', 'name', 20, looksMixed],
  ['firecrawl-key', '~fc-', 'hex', 24, hasDigit],
  ['pinecone-key', '~pcsk_', 'name', 30],
  ['wandb-key', '~wandb_v1_', 'name', 24],
  ['groq-key', '~gsk_', 'word', 30],
  ['xai-key', '~xai-', 'word', 30],
  ['perplexity-key', '~pplx-', 'word', 30],
  ['fireworks-key', '~fw_', 'word', 20, hasDigit],
  ['nvidia-key', '~nvapi-', 'name', 30],
  ['tavily-key', '~tvly-', 'name', 20, hasDigit],
  ['langsmith-key', '~lsv2_pt_ ~lsv2_sk_', 'name', 24],
  ['langfuse-key', '~sk-lf- ~pk-lf-', 'name', 24],
  ['replicate-token', '~r8_', 'name', 24, hasDigit],
  ['huggingface-token', '~hf_ ~api_org_', 'word', 28],
  ['cursor-key', '~key_', 'hex', 40],
  ['cursor-key', '~crsr_', 'word', 30],
  ['e2b-key', '~e2b_ ~sk_e2b_', 'hex', 30],
  ['daytona-key', '~dtn_', 'hex', 30],
  ['modal-token', '~ak- ~as-', 'word', 20, looksMixed],
  ['apify-token', '~apify_api_', 'word', 24],
  ['browserbase-key', '~bb_live_ ~bb_test_', 'name', 20, hasDigit],
  ['runpod-key', '~rpa_', 'capitals', 30],
  ['braintrust-key', '~bt-st-', 'word', 24],
  ['scrapfly-key', '~scp-live- ~scp-test-', 'word', 24],
  // Clouds, hosting, networks.
  ['aws-key-id', '~AKIA ~ASIA ~ABIA ~ACCA', 'capitals', 16, (match) => match.length === 20],
  ['aws-key', 'ABSK bedrock-api-key-', 'base64', 40, looksMixed],
  ['vercel-token', '~vercel_blob_rw_ ~vcp_ ~vci_ ~vca_ ~vcr_ ~vck_', 'name', 20, hasDigit],
  ['vercel-token', '~vercel_', 'name', 24, looksMixed],
  ['netlify-token', '~nfp_ ~nfo_ ~nfc_ ~nfu_ ~nfb_', 'word', 30],
  ['render-key', '~rnd_', 'word', 24, looksMixed],
  ['fly-token', '~fo1_ ~fm1r_ ~fm1a_ ~fm2_', 'base64', 30],
  ['cloudflare-token', '~cfat_ ~cfut_ ~cfk_', 'word', 36],
  ['heroku-key', '~HRKU-', 'name', 30],
  ['digitalocean-token', '~dop_v1_ ~doo_v1_ ~dor_v1_', 'hex', 40],
  ['alibaba-key', '~LTAI', 'word', 16, looksMixed],
  ['tencent-key', '~AKID', 'word', 30, looksMixed],
  ['google-key', '~GOOG1', 'capitals', 40],
  ['docker-token', '~SWMTKN-1-', 'name', 40],
  ['scalingo-token', '~tk-us-', 'name', 40],
  ['tailscale-key', '~tskey-', 'name', 24, hasDigit],
  ['openshift-token', 'sha256~', 'name', 40],
  ['prefect-key', '~pnu_ ~pnb_', 'word', 30],
  ['pulumi-token', '~pul-', 'hex', 40],
  ['infracost-key', '~ico-', 'word', 30, hasDigit],
  ['yandex-key', '~AQVN ~t1.9eu', 'dots', 30, looksMixed],
  // Code, packages, builds.
  ['github-token', 'ghp_ gho_ ghu_ ghr_', 'word', 30],
  ['github-token', 'ghs_', 'dots', 30],
  ['github-token', 'github_pat_', 'name', 22],
  [
    'gitlab-token',
    '~glpat- ~gldt- ~glrt- ~glptt- ~glft- ~gloas- ~glsoat- ~glcbt- ~glimt- ~glagent- ~glffct- ~GR1348941',
    'dots',
    16,
  ],
  ['npm-token', '~npm_', 'word', 30],
  ['pypi-token', 'pypi-', 'name', 50],
  ['rubygems-key', 'rubygems_', 'hex', 40],
  ['docker-token', 'dckr_pat_ dckr_oat_', 'name', 20],
  ['cargo-token', '~cio', 'word', 32, looksMixed],
  ['nuget-key', '~oy2', 'word', 40],
  ['clojars-token', 'CLOJARS_', 'hex', 50],
  ['artifactory-key', '~AKCp ~cmVmd', 'word', 55],
  ['circleci-token', '~CCIPAT_ ~CCIPRJ_', 'name', 30],
  ['buildkite-token', '~bkua_ ~bkaa_ ~bkct_', 'hex', 30],
  ['sonar-token', '~sqp_ ~squ_ ~sqa_', 'hex', 32],
  ['sourcegraph-token', '~sgp_ ~slk_', 'name', 40, hasDigit],
  ['octopus-key', '~API-', 'capitals', 25],
  ['postman-key', 'PMAK-', 'name', 40],
  ['postman-key', '~PMAT-', 'capitals', 24],
  ['readme-key', '~rdme_', 'word', 50],
  ['ionic-token', '~ion_', 'word', 36],
  ['adafruit-key', '~aio_', 'word', 24],
  // Secrets, data, observability.
  ['vault-token', '~hvs. ~hvb. ~hvr.', 'name', 20],
  ['vault-token', '~s.', 'word', 24, looksMixed],
  ['fernet-token', '~gAAAAA', 'base64', 80],
  ['1password-token', '~ops_ey', 'base64', 40],
  ['age-key', 'AGE-SECRET-KEY-1', 'capitals', 50],
  ['doppler-token', '~dp.pt. ~dp.st. ~dp.ct. ~dp.sa. ~dp.scim. ~dp.audit.', 'dots', 30],
  ['infisical-token', '~st.', 'dots', 50, looksMixed],
  ['databricks-token', '~dapi ~dose', 'hex', 32],
  ['neon-key', '~napi_', 'word', 36],
  ['planetscale-token', '~pscale_tkn_ ~pscale_pw_ ~pscale_oauth_', 'dots', 28],
  ['supabase-key', '~sbp_ ~sbp_v0_', 'hex', 36],
  ['supabase-key', '~sb_secret_', 'name', 20],
  ['mongodb-key', '~mdb_sa_sk_', 'name', 30],
  ['clickhouse-key', '~4b1d', 'word', 38],
  ['contentful-token', '~CFPAT-', 'name', 36],
  ['airtable-token', '~pat', 'dots', 60, (match) => /^pat[A-Za-z0-9]{14,24}\.[0-9a-f]{40,}$/.test(match)],
  ['sentry-token', 'sntrys_ sntryu_', 'base64', 30],
  ['grafana-token', '~glc_', 'base64', 32],
  ['grafana-token', '~glsa_', 'name', 36],
  ['grafana-token', '~eyJrIjoi', 'base64', 50],
  ['new-relic-key', 'NRAK- NRII- NRRA-', 'name', 20],
  ['dynatrace-token', 'dt0c01. dt0s01. dt0s16.', 'dots', 40],
  ['posthog-key', '~phx_ ~phs_', 'word', 30],
  ['segment-token', '~sgp_', 'word', 60],
  ['launchdarkly-key', '~sdk- ~api-', 'name', 36, (match) => UUID_KEY.test(match)],
  // Money.
  [
    'stripe-key',
    '~sk_live_ ~sk_test_ ~rk_live_ ~rk_test_ ~pk_live_ ~pk_test_ ~sk_prod_ ~rk_prod_ ~ak_live_',
    'word',
    10,
  ],
  ['stripe-key', 'whsec_', 'base64', 16],
  ['square-token', '~EAAA ~sq0atp- ~sq0csp- ~sq0idp-', 'name', 22],
  ['paypal-token', '~A21AA', 'name', 40],
  ['adyen-key', '~AQE', 'base64', 60, looksMixed],
  ['plaid-token', 'access-sandbox- access-development- access-production-', 'name', 30],
  ['mollie-key', '~live_ ~test_', 'word', 30, looksMixed],
  ['bitcoin-key', '~xprv ~yprv ~zprv ~tprv', 'word', 100],
  ['shippo-token', 'shippo_live_ shippo_test_', 'hex', 30],
  ['easypost-key', '~EZAK ~EZTK', 'word', 50],
  ['flutterwave-key', 'FLWSECK_TEST- FLWSECK-', 'name', 12],
  ['duffel-token', 'duffel_live_ duffel_test_', 'base64', 36],
  // People, messages, shops.
  ['slack-token', 'xapp- xwfp-', 'name', 10, hasDigit],
  [
    'slack-token',
    '~xoxa- ~xoxb- ~xoxc- ~xoxd- ~xoxe- ~xoxo- ~xoxp- ~xoxr- ~xoxs- ~xoxe.xoxb- ~xoxe.xoxp-',
    'name',
    10,
    hasDigit,
  ],
  ['sendgrid-key', '~SG.', 'dots', 34, (match) => /^SG\.[\w-]{16,}\.[\w-]{16,}$/.test(match)],
  ['brevo-key', '~xkeysib- ~xsmtpsib-', 'name', 40],
  ['resend-key', '~re_', 'name', 24, (match) => /^re_[A-Za-z0-9]{6,12}_/.test(match) && hasDigit(match)],
  ['shopify-token', '~shpat_ ~shpca_ ~shppa_ ~shpss_ ~shpua_', 'word', 30],
  ['mailersend-key', '~mlsn.', 'hex', 60],
  ['trello-token', '~ATTA', 'hex', 60],
  ['linear-key', '~lin_api_ ~lin_oauth_', 'name', 30],
  ['notion-token', '~ntn_ ~secret_', 'word', 40],
  ['atlassian-token', 'ATATT3 ATCTT3 ATBB', 'base64', 20],
  ['figma-token', '~figd_ ~figdr_ ~figu_', 'name', 36],
  ['intercom-token', '~dG9rO', 'base64', 40],
  ['hubspot-token', '~pat-na1- ~pat-na2- ~pat-eu1- ~pat-ap1-', 'name', 36],
  ['typeform-token', '~tfp_', 'name', 36],
  ['facebook-token', '~EAAM ~EAAC ~EAAG', 'word', 80],
  ['frameio-token', '~fio-u-', 'base64', 40],
  ['adobe-secret', '~p8e-', 'name', 30, hasDigit],
  ['harness-key', '~pat. ~sat.', 'dots', 60, (match) => /^[ps]at\.[\w-]{22,32}\.[0-9A-Za-z]{24,36}\./.test(match)],
  ['settlemint-token', '~sm_aat_ ~sm_pat_ ~sm_sat_', 'word', 16],
  ['pubnub-key', '~sec-c-', 'base64', 40],
];

const UUID_KEY = /^(?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Secrets whose shape is more than a prefix. */
const ROWS: readonly Row[] = [
  // A key without its end was truncated: everything after the beginning is redacted.
  [
    'private-key',
    ['-----BEGIN'],
    '-----BEGIN[A-Z0-9 ]{0,60}PRIVATE +KEY[A-Z ]{0,20}-----[^]*?(?:-----END[A-Z0-9 ]{0,60}-----|$)',
  ],
  // The body alone. A private key begins with its length and a version number, which base64 encodes as these letters.
  [
    'private-key',
    ['MII', 'MHcCAQEE', 'MC4CAQAwBQYDK2V', 'b3BlbnNzaC1rZXkt'],
    `~(?:MII[A-Za-z0-9+/]{3}IBA[AD]|MIG[A-Za-z0-9+/]AgEAM|MII[A-Za-z0-9+/]{3,9}BgkqhkiG9w0BBQ|MHcCAQEE|MC4CAQAwBQYDK2V|b3BlbnNzaC1rZXkt)[A-Za-z0-9+/=\\s]{16,}`,
  ],
  ['putty-key', ['Private-Lines:'], 'Private-Lines: ?[0-9]+[^]*$'],
  ['slack-webhook', ['hooks.slack.com/'], 'hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{10,}'],
  ['discord-webhook', ['/api/webhooks/'], 'discord(?:app)?\\.com/api/webhooks/[0-9]{5,}/[A-Za-z0-9_-]{20,}'],
  ['teams-webhook', ['webhook.office.com/'], 'webhook\\.office\\.com/webhookb2/[A-Za-z0-9@/-]{60,}'],
  ['zapier-webhook', ['hooks.zapier.com/'], 'hooks\\.zapier\\.com/hooks/catch/[A-Za-z0-9/]{8,}'],
  ['twilio-key', ['SK', 'AC'], '~(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])'],
  ['mailgun-key', ['key-'], '~key-[0-9a-f]{32}(?![A-Za-z0-9])'],
  ['mailchimp-key', ['-us'], '(?<![A-Za-z0-9])[0-9a-f]{32}-us[0-9]{1,2}(?![0-9])'],
  ['telegram-token', [':AA'], '(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{30,36}'],
  ['asana-token', ['0/', '1/', '2/'], '~[012]/[0-9]{14,20}(?:/[0-9]{14,20})?:[0-9a-f]{32}'],
  ['clickup-token', ['pk_'], '~pk_[0-9]{6,10}_[A-Z0-9]{24,}'],
  // Excludes the `00-` of a trace's parent.
  ['okta-token', ['00'], '~00(?!-[0-9a-f]{32}-)[A-Za-z0-9_-]{38,60}(?![A-Za-z0-9_-])', looksMixed],
  [
    '1password-key',
    ['A3-'],
    '~A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}',
  ],
  [
    'bitwarden-token',
    ['0.'],
    '~0\\.[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\\.[A-Za-z0-9]{20,}:[A-Za-z0-9+/=]{16,}',
  ],
  ['k3s-token', ['K10'], '~K10[0-9a-f]{64}::[a-z]{1,20}:[A-Za-z0-9.]{8,}'],
  ['fcm-key', [':APA91b'], '(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{8,30}:APA91b[A-Za-z0-9_-]{100,}'],
  ['terraform-token', ['.atlasv1.'], '(?<![A-Za-z0-9])[A-Za-z0-9]{14,24}\\.atlasv1\\.[A-Za-z0-9_=-]{40,}'],
  ['maxmind-key', ['_mmk'], '(?<![A-Za-z0-9])[A-Za-z0-9]{6}_[A-Za-z0-9]{24,44}_mmk'],
  ['cloudflare-key', ['v1.0-'], '~v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,}'],
  ['azure-secret', ['Q~'], '(?<![A-Za-z0-9])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}'],
  ['azure-devops-token', ['AZDO'], '[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4}'],
  // Azure puts a mark into its keys: of OpenAI and AI services, storage, buses, databases, functions, search, caches.
  ['azure-key', ['JQQJ99'], '(?<![A-Za-z0-9])[A-Za-z0-9]{40,72}JQQJ99[A-Za-z0-9]{20,48}'],
  [
    'azure-key',
    ['ASt', 'ASb', 'AEh', 'AIoT', 'ACDb', 'AzFu', 'AzSe', 'AzCa', 'ACR'],
    '(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{30,96}(?:\\+A(?:St|Sb|Eh|CR)|AIoT|ACDb|AzFu|AzSe|AzCa)[A-Za-z0-9+/]{4,20}={0,2}',
    looksMixed,
  ],
  ['jwt', ['eyJ'], '(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{9,}\\.[A-Za-z0-9_-]{10,}(?:\\.[A-Za-z0-9_-]*){0,3}'],
  ['jwe', ['eyJ'], '(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{9,}\\.[A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]+){2,3}'],
  // Stored password hashes: bcrypt, crypt, argon2, Apache, LDAP.
  ['password-hash', ['$2'], '\\$2[abxy]\\$[0-9]{2}\\$[A-Za-z0-9./]{20,}'],
  [
    'password-hash',
    ['$1$', '$5$', '$6$', '$7$', '$y$', '$apr1$'],
    '\\$(?:[1567y]|apr1)\\$[^\\s$:]{1,64}\\$[A-Za-z0-9./$]{16,}',
  ],
  ['password-hash', ['$argon2'], '\\$argon2(?:id|i|d)\\$[A-Za-z0-9,=$+/]{20,}'],
  ['password-hash', ['{SSHA', '{SHA}', '{CRYPT}'], '\\{(?:SSHA(?:256|512)?|SHA|CRYPT)\\}[A-Za-z0-9+/=$.]{16,}'],
  ['password-hash', ['pbkdf2_sha'], 'pbkdf2_sha(?:1|256|512)\\$[0-9]+\\$[A-Za-z0-9+/=$]{20,}'],
  // Credentials inside an address: redis://:pw@host, postgres://user:pw@host, https://token@host.
  ['url-credentials', ['://'], '(?<=://)[^\\s/?#@:"\'<>]{0,200}:[^\\s/?#"\'<>]{1,400}@(?=[^\\s@/])'],
  ['url-credentials', ['://'], '(?<=(?:https?|nats|tls)://)[^\\s/?#@:"\'<>]{16,400}@(?=[^\\s@/])'],
  // user:pw@tcp(host:3306)/db, jdbc:oracle:thin:user/pw@host
  [
    'url-credentials',
    ['@tcp(', '@unix(', '@udp('],
    '(?<=(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]{1,64}:)[^\\s@"\'`]{1,200}(?=@(?:tcp|unix|udp)\\()',
  ],
  ['url-credentials', ['jdbc:oracle:'], '(?<=jdbc:oracle:[a-z]{1,8}:[A-Za-z0-9_$#]{1,64}/)[^\\s@"\'`]{1,200}(?=@)'],
  ['bearer', ['earer', 'EARER'], '(?<=\\b[Bb](?:earer|EARER)(?:\\s|\\+){1,4})[A-Za-z0-9._~+/=%-]{8,}', looksRandom],
  ['basic', ['asic', 'ASIC'], '(?<=\\b[Bb](?:asic|ASIC)(?:\\s|\\+){1,4})[A-Za-z0-9+/]{6,}={0,2}', looksLikeBasic],
];

/** Searched only in texts that have a run of characters this long. */
const BARE_WORD: Row = [
  'discord-token',
  [],
  '(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])',
];
// An AWS secret access key is 40 mixed base64 characters on their own. A git hash has no capitals.
const AWS_SECRET: Row = [
  'aws-secret',
  [],
  '(?<![A-Za-z0-9+/_.-])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_.%-])',
  looksLikeAwsSecret,
];
// Lines of a key without its first and last one: 64 or 70 characters each, the last one shorter.
const PRIVATE_KEY: Row = [
  'private-key',
  [],
  '(?<![A-Za-z0-9+/=\\n])\\n?(?:(?:[A-Za-z0-9+/]{64}\\n){3,}|(?:[A-Za-z0-9+/]{70}\\n){3,})[A-Za-z0-9+/]{0,70}={0,2}',
  looksMixed,
];
const CARD: Row = ['card', [], '(?<![0-9A-Za-z.-])(?:[0-9][ -]?){12,18}[0-9](?![0-9A-Za-z-])', isCardNumber];

/** Secret shapes, grouped by how `findShapes` searches for them. */
export interface SecretShapes {
  readonly hinted: readonly SecretShape[];
  /** Shapes without a prefix: of words, and of base64. */
  readonly bare: { readonly word: SecretShape; readonly awsSecret: SecretShape; readonly privateKey: SecretShape };
  readonly card: SecretShape;
}

/** Builds all shapes. Called on first use, so that importing costs nothing. */
export function buildShapes(): SecretShapes {
  const prefixed = PREFIXED.map(([name, prefixes, body, least, accepts]): Row => {
    const all = prefixes.split(' ');
    const edge = all[0]?.startsWith('~') ? '~' : '';
    const hints = all.map((prefix) => prefix.replace(/^~/, ''));
    return [name, hints, `${edge}(?:${hints.map(quoted).join('|')})${BODIES[body]}{${least},}`, accepts];
  });
  return {
    hinted: [...prefixed, ...ROWS].map(shapeOf),
    bare: { word: shapeOf(BARE_WORD), awsSecret: shapeOf(AWS_SECRET), privateKey: shapeOf(PRIVATE_KEY) },
    card: shapeOf(CARD),
  };
}

/** Rows with a hint in the middle of the secret spell out their edge. */
const WORD_HINT = /^[A-Za-z0-9]/;

function shapeOf([name, hints, pattern, accepts]: Row): SecretShape {
  const isWord = pattern.startsWith('~') && hints.every((hint) => WORD_HINT.test(hint));
  const source = pattern.replace(/^~/, EDGE);
  return { name, hints, isWord, pattern: new RegExp(source, 'g'), ...(accepts && { accepts }) };
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
