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
  /curl|wget|http|mysql|mariadb|sshpass|redis-cli|ldap|docker|podman|helm|az |machine|7z|zip|smbclient|rabbitmq|mongo|sqlcmd|bindpw|rootpw| -u|--user/;
/** Text between a command and its flag: earlier arguments on the same line. */
const BEFORE = `[^\\r\\n|;&]{0,200}?[\\s,]["']?`;

/** Patterns that match the secret only. */
const ARGUMENTS: readonly RegExp[] = [
  // curl -u name:password
  /(?<=(?:^|\s)(?:-u|--user)[ =]["']?[^\s:"']{1,100}:)[^\s"']{1,400}/g,
  // mysql -uroot -pSecret; a blank after -p would prompt for it instead
  new RegExp(
    `(?<=\\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|mongo(?:sh|dump|restore)?)\\b${BEFORE}-p["']?)[^\\s"'=-][^\\s"']{2,200}`,
    'g',
  ),
  new RegExp(`(?<=\\bmongo(?:sh|dump|restore)?\\b${BEFORE}-p["']?[ \\t]["']?)[^\\s"'-][^\\s"']{2,200}`, 'g'),
  /(?<=\bsshpass\s{1,4}-p\s{0,4}["']?)[^\s"']{3,200}/g,
  new RegExp(`(?<=\\bredis-cli\\b${BEFORE}-a["']?[ \\t]["']?)[^\\s"']{3,200}`, 'g'),
  new RegExp(`(?<=\\bldap[a-z]{3,10}\\b${BEFORE}-w["']?[ \\t]["']?)[^\\s"']{3,200}`, 'g'),
  new RegExp(
    `(?<=\\b(?:docker|podman|helm|az)\\b[^\\r\\n|;&]{0,40}?\\blogin\\b${BEFORE}-p["']?[ \\t]["']?)[^\\s"']{3,200}`,
    'g',
  ),
  new RegExp(`(?<=\\b(?:7z|7za|zip|unzip)\\b${BEFORE}-[pP]["']?[ \\t]?["']?)[^\\s"'-][^\\s"']{2,200}`, 'g'),
  new RegExp(`(?<=\\bsmbclient\\b${BEFORE}-U["']?[ \\t]["']?[^\\s%"']{1,100}%)[^\\s"']{3,200}`, 'g'),
  new RegExp(`(?<=\\bsqlcmd\\b${BEFORE}-P["']?[ \\t]?["']?)[^\\s"'-][^\\s"']{2,200}`, 'g'),
  // slapd.conf, ldap.conf: bindpw hunter2
  /(?<=\b(?:bindpw|rootpw)[ \t]{1,8}["']?)[^\s"'=:]{3,200}/g,
  // .netrc: machine example.com login me password hunter2
  /(?<=\bmachine\s{1,4}\S{1,200}\s{1,4}login\s{1,4}\S{1,200}\s{1,4}password\s{1,4})\S{1,200}/g,
];
