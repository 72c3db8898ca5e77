import { BENIGN } from './benign.js';
import { looksRandom } from './looks-random.js';
import { secretName } from './secret-names.js';
import type { Span } from './span.js';

/** Finds secrets among the arguments of commands, and in the files that commands read them from. */
export function findInCommands(text: string, found: Span[]): void {
  findFlags(text, found);
  if (!COMMANDS.test(text)) return;
  for (const pattern of ARGUMENTS) {
    for (const match of text.matchAll(pattern)) {
      const value = match[0];
      if (!BENIGN.test(value)) found.push({ start: match.index, end: match.index + value.length, name: 'named' });
    }
  }
}

const FLAG =
  /(?<=(?:^|\s|["'`,[])--?)([A-Za-z][A-Za-z0-9-]{1,40})(?:[ \t]+|["'`],[ \t]{0,4})(["'`]?)([^\s"'`-][^\s"'`]{0,400})/g;

/** Finds the values of flags: `--password hunter2`, `["--password", "hunter2"]`. */
function findFlags(text: string, found: Span[]): void {
  for (const match of text.matchAll(FLAG)) {
    const [, name = '', , value = ''] = match;
    const strength = secretName(name);
    if (strength === undefined || BENIGN.test(value)) continue;
    if (strength === 'weak' && !looksRandom(value)) continue;
    const end = match.index + match[0].length;
    found.push({ start: end - value.length, end, name: 'named' });
  }
}

const COMMANDS =
  /curl|wget|http|my(?:sql|cli)|mariadb|sshpass|redis-cli|ldap|docker|podman|helm|az |machine|7z|zip|rar |smbclient|net |rabbitmq|mongo|sqlcmd|bcp |cqlsh|lftp|ipmitool|mosquitto|snmp|openssl|htpasswd|sudo|freerdp|bindpw|rootpw| -u|--(?:proxy-)?user/;
/** Text between a command and its flag: earlier arguments on the same line. */
const BEFORE = `[^\\r\\n|;&]{0,200}?[\\s,]["']?`;
const ATTACHED = `["']?)[^\\s"'=-][^\\s"']{2,200}`;
const SEPARATE = `["']?[ \\t]["']?)[^\\s"'-][^\\s"']{2,200}`;
const EITHER = `["']?[ \\t]?["']?)[^\\s"'-][^\\s"']{2,200}`;

/** Commands, the flag of their password, and how the password follows it. */
const FLAGS: readonly (readonly [commands: string, flag: string, value: string])[] = [
  // mysql -uroot -pSecret; a blank after -p would prompt for it instead
  ['(?:mysql[a-z]{0,10}|mycli|mariadb(?:-[a-z]{1,10})?|mongo(?:sh|dump|restore)?)', '-p', ATTACHED],
  ['mongo(?:sh|dump|restore)?', '-p', SEPARATE],
  ['cqlsh', '-p', SEPARATE],
  ['redis-cli', '-a', SEPARATE],
  ['ldap[a-z]{3,10}', '-w', SEPARATE],
  ['ldappasswd', '-[as]', SEPARATE],
  ['(?:docker|podman|helm|az)\\b[^\\r\\n|;&]{0,40}?\\blogin', '-p', SEPARATE],
  ['(?:7z|7za|zip|unzip|rar|unrar)', '-h?[pP]', EITHER],
  ['(?:sqlcmd|bcp|ipmitool|mosquitto_[a-z]{2,4})', '-P', EITHER],
  ['snmp[a-z]{2,9}', '-[AX]', SEPARATE],
  ['[wx]freerdp', '/p:', ATTACHED],
  ['lftp', '-u[ \\t]["\']?[^\\s,"\']{1,100},', ATTACHED],
  ['smbclient', '-U["\']?[ \\t]["\']?[^\\s%"\']{1,100}%', ATTACHED],
  ['openssl', '-[a-z]{3,8}[ \\t]["\']?pass:', ATTACHED],
  ['htpasswd', '-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}[ \\t]\\S{1,200}[ \\t]\\S{1,100}', SEPARATE],
  ['net', '/user:\\S{1,100}', SEPARATE],
];

/** Patterns that match the secret only. */
const ARGUMENTS: readonly RegExp[] = [
  ...FLAGS.map(([commands, flag, value]) => new RegExp(`(?<=\\b${commands}\\b${BEFORE}${flag}${value}`, 'g')),
  // curl -u name:password; docker run --user 1000:1000 names ids
  /(?<=(?:^|\s)(?:-u|--(?:proxy-)?user)[ =]["']?(?!\d{1,9}:)[^\s:"']{1,100}:)[^\s"']{1,400}/g,
  /(?<=\bsshpass\s{1,4}-p\s{0,4}["']?)[^\s"']{3,200}/g,
  // echo hunter2 | sudo -S
  /(?<=\becho\s{1,4}["']?)[^\s"'$-][^\s"']{2,200}(?=["']?\s{0,4}\|\s{0,4}sudo\s{1,4}-S\b)/g,
  /(?<=\brabbitmqctl\s{1,4}(?:add_user|change_password)\s{1,4}\S{1,100}\s{1,4}["']?)[^\s"']{3,200}/g,
  // slapd.conf, ldap.conf: bindpw hunter2
  /(?<=\b(?:bindpw|rootpw)[ \t]{1,8}["']?)[^\s"'=:]{3,200}/g,
  // .netrc: machine example.com login me password hunter2
  /(?<=\bmachine\s{1,4}\S{1,200}\s{1,4}login\s{1,4}\S{1,200}\s{1,4}password\s{1,4})\S{1,200}/g,
];
