import { seededRandom } from '../../src/lib/random.js';
import { redact } from '../../src/observe/redact.js';
import { pickFrom } from './secret-fixtures.js';
import { HARMLESS } from './wide-harmless.js';

/**
 * Secrets where people and programs leave them, invented when the tests run: `{w36}` is 36 characters of the alphabet `w`,
 * and `<...>` is the part that must not be left. A second set beside the fixtures, written from the issuers' documentation.
 */
const UUID = '<{h8}-{h4}-4{h3}-a{h3}-{h12}>';

const UUIDS: readonly string[] = [
  `RAILWAY_TOKEN=${UUID}`,
  `SNYK_TOKEN=${UUID}`,
  `export CODECOV_TOKEN="${UUID}"`,
  `NOMAD_TOKEN=${UUID}`,
  `env: { CONSUL_HTTP_TOKEN: '${UUID}' }`,
  `HEROKU_API_KEY=${UUID}`,
  `POSTMARK_SERVER_TOKEN: ${UUID}`,
  `X-Consul-Token: ${UUID}`,
  `X-Auth-Token: ${UUID}`,
  `X-Vault-Token: ${UUID}`,
  `> X-Postmark-Server-Token: ${UUID}`,
  `curl -H 'Circle-Token: ${UUID}' https://ci.example.com/api`,
  `X-Api-Key: ${UUID}`,
  `Authorization: Bearer ${UUID}`,
  `authorization: Token ${UUID}`,
  `{"token":"${UUID}"}`,
  `{"apiToken": "${UUID}", "retries": 3}`,
  `{'token': '${UUID}'}`,
  `{ token: "${UUID}" }`,
  `{\\"token\\":\\"${UUID}\\"}`,
  `token = "${UUID}"`,
  `client_secret=${UUID}`,
  `GET /v1/items?access_token=${UUID} 401`,
  `GET /v1/items?token=${UUID}&page=2 401`,
  `https://api.example.com/x?apikey=${UUID}`,
  `snyk auth --token ${UUID}`,
  `spawn(['deploy', '--token', '${UUID}'])`,
  `cli --api-key=${UUID} run`,
  `FAL_KEY=${UUID}:<{h32}>`,
  `accessToken: "${UUID}"`,
];

const DIRECTORIES: readonly string[] = [
  'bindpw <{w10}>',
  'bindpw = <{w10}>',
  'bindpw: <{w9}7>',
  '"bindpw": "<{w10}>"',
  'BINDPW=<{w10}>',
  'ldap.bindpw=<{w10}>',
  'ldapsearch --bindpw <{w10}> -b dc=example',
  'bind_password = "<{w10}>"',
  'LDAP_BIND_PASSWORD=<{w10}>',
  'rootpw <{w10}>',
  'olcRootPW: <{w9}7>',
  'userPassword: <{w9}7>',
  'ldapmodify -x -D cn=admin -w <{w10}> -f x.ldif',
  'ldappasswd -s <{w10}> uid=ada',
  'ldap_default_authtok = <{w10}>',
];

const COMMANDS: readonly string[] = [
  'mysql -uroot -p<{w10}> shop',
  '/usr/bin/mysql -h db.internal -u app -p<{w10}>',
  "mysqldump -u app -p'<{w10}>' shop",
  'mysqladmin -uroot -p<{w10}> status',
  'mysqlcheck -p<{w10}> --all-databases',
  'mysqlsh -u root -p<{w10}> --sql',
  'mysqlpump -uroot -p<{w10}> shop',
  'mysqlslap -uroot -p<{w10}>',
  'mycli -u app -p<{w10}> shop',
  "subprocess.run(['mysql', '-u', 'root', '-p<{w10}>'])",
  'docker exec db mysql -uroot -p<{w10}> -e "select 1"',
  'sshpass -p<{w10}> ssh root@10.0.0.1',
  '7z a -p<{w10}> out.7z data',
  'rar a -hp<{w10}> out.rar data',
  'unrar x -p<{w10}> in.rar',
  'unzip -P <{w10}> in.zip',
  'htpasswd -bc .htpasswd ada <{w10}>',
  'openssl rsa -in key.pem -passin pass:<{w10}>',
  'openssl enc -aes-256-cbc -pass pass:<{w10}>',
  'keytool -list -storepass <{w10}> -keystore x.jks',
  'jarsigner -keypass <{w10}> app.jar release',
  'PGPASSWORD=<{w10}> psql -h db shop',
  'smbclient //srv/share -U ada%<{w10}>',
  'plink -pw <{w10}> root@host',
  'lftp -u ada,<{w10}> ftp.example.com',
  'wget --http-password=<{w10}> https://example.com/x',
  'svn co --username ada --password <{w10}> https://svn.example.com',
  'ansible all -e ansible_password=<{w10}> -m ping',
  'curl --proxy-user ada:<{w10}> https://example.com',
  'ipmitool -H bmc -U root -P <{w10}> power status',
  'mosquitto_pub -u ada -P <{w10}> -t x -m y',
  'cqlsh -u ada -p <{w10}> db',
  'influx -username ada -password <{w10}>',
  'clickhouse-client --password <{w10}> -q "select 1"',
  'etcdctl --user root:<{w10}> get x',
  'xfreerdp /u:ada /p:<{w10}> /v:host',
  'echo <{w9}7> | sudo -S apt-get update',
  'net use Z: \\\\srv\\share /user:ada <{w9}7>',
  'bcp db.t out x.csv -U sa -P <{w10}>',
  'rabbitmqctl add_user ada <{w9}7>',
];

const JOINED: readonly string[] = [
  'const k = "ghp_" + "<{w36}>";',
  "k = 'ghp_'+'<{w36}>'",
  "$k = 'ghp_' . '<{w36}>';",
  'k = ("ghp_"\n     "<{w36}>")',
  'k = "ghp_" \\\n  "<{w36}>"',
  'k = "sk-" + "ant-" + "api03-" + "<{n93}>AA"',
  'k = "ghp_{w10}" + "<{w13}>" + "<{w13}>"',
  `["ghp_", "<{w36}>"].join("")`,
  'k = "ghp_" &\n "<{w36}>"',
  "select 'ghp_' || '<{w36}>'",
  'k := "sk_live_" + "<{w24}>"',
  '`ghp_$' + '{"<{w36}>"}`',
];

/** Keys in the formats of their issuers, each in a place of `PLACES`. */
const ISSUED: readonly string[] = (
  'sk-admin-{n58}T3BlbkFJ{n58} sk-ant-oat01-{n93}AA sk-ant-ort01-{n93}AA sk-ant-sid01-{n93}AA sk-ant-usr01-{n93}AA sk-or-v1-{h64} api_org_{w34} tvly-dev-{w32} ' +
  'lsv2_sk_{h32}_{h10} glpat-{n27}.01.{l9} glptt-{h40} GR1348941{n20} glft-{n20} glsoat-{n20} glcbt-1_{n20} glimt-{n25} glagent-{n50} gloas-{h64} ghu_{w36} ' +
  'ghr_{w36} ATCTT3xFfGF0{n180}={h8} ATBB{w32} CCIPRJ_{w22}_{h40} dckr_oat_{n32} pypi-AgENdGVzdC5weXBpLm9yZw{n100} sk_test_{w24} rk_test_{w24} sq0csp-{n43} ' +
  'EAAA{n60} shpca_{h32} shppa_{h32} shpss_{h32} shpua_{h32} xoxp-{d12}-{d12}-{d12}-{h32} xoxe.xoxp-1-{w160} xoxe-1-{w140} xoxc-{d12}-{d12}-{d12}-{h64} ' +
  'xoxd-{w100} MTk4{w20}.G{n5}.{n38} doo_v1_{h64} dor_v1_{h64} hvb.{n150} hvr.{n150} dp.st.dev.{w43} dp.ct.{w43} dp.sa.{w43} dp.scim.{w43} dp.audit.{w43} ' +
  'dose{h32} pscale_oauth_{n43} gAAAAAB{n93}== ABIA{U16} ACCA{U16} AKID{w32} GOOG1E{U56} sntrys_eyJ{w120}_{w43} NRII-{n32} NRRA-{h42} xsmtpsib-{h64}-{w16} ' +
  'mlsn.{h64} lin_oauth_{h64} secret_{w43} AAAA{n7}:APA91b{n134} ATTA{h64} sk.eyJ1{w60}.{n22} xprv9{w106} SWMTKN-1-{l50}-{l25} K10{h64}::server:{h32} ' +
  'tskey-client-{w16}-{w32} tskey-api-{w16}-{w32} cfut_{w40}{h8} vci_{w56} vca_{w56} vcr_{w56} vck_{w56} nfc_{w36} sgp_local_{h40} slk_{h64} bkct_{h40} ' +
  'sqp_{h40} sqa_{h40} PMAT-{U26} mdb_sa_sk_{w40} sbp_v0_{h40} rpa_{U30}{l14} live_{w30} access-sandbox-{h8}-{h4}-{h4}-{h4}-{h12} shippo_test_{h40} EZTK{w54} ' +
  'FLWSECK-{h32}-X duffel_test_{n43} PRIVATE-{h40} A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5} v^1.1#i^1#p^3#I^3#f^0#{w60} ' +
  'eyJrIjoi{w60}IiwiaWQiOjF9 0.{h8}-{h4}-4{h3}-a{h3}-{h12}.{w30}:{b22}=='
)
  .split(' ')
  .filter((shape) => !shape.startsWith('PRIVATE-') && !shape.startsWith('v^'));

/** Keys without a mark of their issuer: their names show them. */
const NAMED: readonly string[] = [
  'MISTRAL_API_KEY=<{w32}>',
  'COHERE_API_KEY=<{w40}>',
  'DEEPGRAM_API_KEY=<{h40}>',
  'ASSEMBLYAI_API_KEY: <{h32}>',
  'ALGOLIA_ADMIN_KEY=<{h32}>',
  'LIVEKIT_API_SECRET=<{w43}>',
  'NEO4J_AUTH=neo4j/<{w12}>',
  'aws_secret_access_key = <{b40}>',
  'DD_APP_KEY=<{h40}>',
  'WG PrivateKey = <{b43}>=',
  'mnemonic: "<abandon zebra river umbrella candle orbit lemon puzzle garden window maple stone>"',
  'ETH_PRIVATE_KEY=0x<{h64}>',
  'Authorization: ApiKey <{b58}==>',
  'Authorization: Digest username="ada", response="<{h32}>"',
  'kubeadm join 10.0.0.1:6443 --token <{l6}.{l16}>',
  'SharedAccessKeyName=root;SharedAccessKey=<{b43}>=',
  'Endpoint=sb://x.servicebus.windows.net/;SharedAccessKey=<{b43}=>',
  'https://x.blob.core.windows.net/c/b?sv=2024-11-04&se=2026&sig=<{w43}>%3D',
  'X-Amz-Signature=<{h64}>',
  'TWILIO_AUTH_TOKEN=<{h32}>',
  'session_cookie=<{w40}>',
  'Set-Cookie: connect.sid=s%3A<{n32}.{w43}>; Path=/',
  'https://x-access-token:<ghs_{w36}>@github.com/a/b.git',
  'git clone https://oauth2:<{n20}>@git.example.com/a.git',
  'mongodb+srv://app:<{w12}>@cluster0.example.net/db',
  'smtp://ada:<{w12}>@mail.example.com:587',
  'ftp://ada:<{w12}>@ftp.example.com/x',
  'http://ada:<{w12}>@proxy.internal:3128',
  'nats://<{w32}>@nats.internal:4222',
  'clickhouse://ada:<{w12}>@ch:9000/x',
  'snmpwalk -v3 -u ada -A <{w12}> host',
  'spring.datasource.password=<{w12}>',
  'DJANGO_SECRET_KEY="<{w50}>"',
  'NEXTAUTH_SECRET=<{b43}=>',
  '{"type": "service_account", "private_key_id": "<{h40}>"}',
  'ConnectionString="Server=db;User Id=sa;Password=<{w12}>;"',
];

/** Places in which keys turn up. */
const PLACES: readonly ((key: string) => string)[] = [
  (key) => `401 Unauthorized: the key ${key} was rejected`,
  (key) => `{"detail":{"used":"${key}"}}`,
  (key) => `> GET /v1/x HTTP/1.1\n> X-Custom: ${key}\n`,
  (key) => `export VALUE=${key}`,
  (key) => `at call (${key})`,
  (key) => `https://api.example.com/v1?q=${encodeURIComponent(key)}&page=2`,
  (key) => `${key}: not accepted`,
  (key) => `- ${key}\n- next`,
];

/** A text, and the parts of it that must not be left. */
interface Wide {
  readonly text: string;
  readonly secrets: readonly string[];
}

function parse(marked: string): Wide {
  const secrets = [...marked.matchAll(/<([^<>]+)>/g)].map(([, secret = '']) => secret);
  return { text: marked.replace(/<([^<>]+)>/g, '$1'), secrets };
}

/** Returns one text for each shape. */
export function wideSecrets(seed: number): readonly Wide[] {
  const pick = pickFrom(seededRandom(seed));
  const marked = [...UUIDS, ...DIRECTORIES, ...COMMANDS, ...JOINED, ...NAMED].map((text) => parse(pick(text)));
  const issued = ISSUED.map((shape, index): Wide => {
    const key = pick(shape);
    const text = (PLACES[index % PLACES.length] ?? String)(key);
    // In an address, the key itself is gone already: what is left of it must not be readable either.
    return { text, secrets: text.includes(key) ? [key] : [encodeURIComponent(key)] };
  });
  return [...marked, ...issued];
}

/** Counts of both sets: secrets that redaction left in a text, and harmless texts that it changed. */
export interface WideReport {
  readonly secrets: number;
  readonly missed: readonly string[];
  readonly harmless: number;
  readonly changed: readonly string[];
}

/** Redacts every text of both sets. */
export function redactWide(seed: number): WideReport {
  const secrets = wideSecrets(seed);
  const pick = pickFrom(seededRandom(seed + 1));
  const harmless = HARMLESS.map(pick);
  const missed = secrets.filter(({ text, secrets: parts }) => parts.some((part) => redact(text).includes(part)));
  return {
    secrets: secrets.length,
    missed: missed.map(({ text }) => text),
    harmless: harmless.length,
    changed: harmless.filter((text) => redact(text) !== text),
  };
}
