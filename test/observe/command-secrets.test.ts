import { describe, expect, it } from 'vitest';
import { findInCommands } from '../../src/observe/command-secrets.js';
import type { Span } from '../../src/observe/span.js';

/** Returns the values that are found among the arguments of a command. */
function found(text: string): string[] {
  const spans: Span[] = [];
  findInCommands(text, spans);
  expect(spans.every(({ name }) => name === 'named')).toBe(true);
  return [...new Set(spans.map(({ start, end }) => text.slice(start, end)))];
}

describe('the value of a flag', () => {
  it.each([
    ['deploy --password hunter2', 'hunter2'],
    ['deploy -password hunter2', 'hunter2'],
    ['--password hunter2', 'hunter2'],
    ['deploy --password "hunter2" --now', 'hunter2'],
    ["deploy --password 'hunter2'", 'hunter2'],
    ['deploy --password   hunter2', 'hunter2'],
    ['deploy --password\thunter2', 'hunter2'],
    ['["deploy","--password","hunter2"]', 'hunter2'],
    ["['deploy', '--api-key', 'hunter2']", 'hunter2'],
    ['`--client-secret hunter2`', 'hunter2'],
    ['deploy --token abc123def456', 'abc123def456'],
  ])('is found in %j', (text, value) => {
    expect(found(text)).toEqual([value]);
  });

  it.each([
    'deploy --region hunter2',
    'deploy --password-length hunter2',
    'deploy --password --now',
    'deploy --password "',
    'deploy --token short',
    'deploy --token words',
    'deploy --password null',
    'deploy --password $PASSWORD',
    'a--password hunter2',
    'deploy --passwordhunter2',
    'pass word hunter2',
    'deploy --1password hunter2',
  ])('is none in %j', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('an argument of a command', () => {
  it.each([
    ['curl -u admin:s3cret https://example.com', 's3cret'],
    ['curl --user admin:s3cret https://example.com', 's3cret'],
    ['curl --user=admin:s3cret https://example.com', 's3cret'],
    ['curl -u "admin:s3cret" https://example.com', 's3cret'],
    ['--user admin:s3cret', 's3cret'],
    ['mysql -uroot -ps3cret shop', 's3cret'],
    ["mysql -h db -u root -p's3cret' shop", 's3cret'],
    ['mysqldump -uroot -ps3cret shop', 's3cret'],
    ['mysqladmin -ps3cret status', 's3cret'],
    ['mysqlimport -ps3cret shop', 's3cret'],
    ['mariadb -ps3cret shop', 's3cret'],
    ['mariadb-dump -ps3cret shop', 's3cret'],
    ['mongo -ps3cret shop', 's3cret'],
    ['mongosh -u root -p s3cret shop', 's3cret'],
    ['mongodump -p "s3cret"', 's3cret'],
    ['mongorestore -p s3cret', 's3cret'],
    ['sshpass -p s3cret ssh host', 's3cret'],
    ['sshpass -ps3cret ssh host', 's3cret'],
    ["sshpass  -p 's3cret' ssh host", 's3cret'],
    ['redis-cli -h cache -a s3cret ping', 's3cret'],
    ['redis-cli -a "s3cret" ping', 's3cret'],
    ['ldapsearch -x -w s3cret -b dc=example', 's3cret'],
    ['ldapmodify -w "s3cret"', 's3cret'],
    ['docker login registry -u ci -p s3cret', 's3cret'],
    ['podman login -p s3cret', 's3cret'],
    ['helm registry login -p s3cret', 's3cret'],
    ['az acr login -u ci -p s3cret', 's3cret'],
    ['7z x -ps3cret a.7z', 's3cret'],
    ['7za x -ps3cret a.7z', 's3cret'],
    ['zip -P s3cret a.zip', 's3cret'],
    ['unzip -P s3cret a.zip', 's3cret'],
    ['unzip -P"s3cret" a.zip', 's3cret'],
    ['smbclient //host/share -U me%s3cret', 's3cret'],
    ['smbclient -U "me%s3cret"', 's3cret'],
    ['machine example.com login me password s3cret', 's3cret'],
    ['machine example.com\n  login me\n  password s3cret', 's3cret'],
  ])('is found in %j', (text, value) => {
    expect(found(text)).toEqual([value]);
    expect(found(`spawn: ${text}`)).toEqual([value]);
  });

  it.each([
    'mysql -p shop',
    'mysql -p=x shop',
    'mysql -p- shop',
    'mysql -pab',
    'mymysql -ps3cret',
    'mysql shop | grep -ps3cret',
    'mysql shop; grep -ps3cret',
    'mysql shop & grep -ps3cret',
    'mysql shop\ngrep -ps3cret',
    'mysql x-ps3cret',
    'docker run -p 8080:8080 image',
    'docker build; login -p s3cret',
    'redis-cli -n 5 ping',
    'redis-cli -a ab',
    'ldap -w s3cret',
    'zip -r archive.zip folder',
    'zip -P - a.zip',
    'smbclient -U me%ab',
    'smbclient -U me',
    'sshpass -e ssh host',
    'sshpass -p ab',
    'curl -u admin https://example.com',
    'curl -uadmin:s3cret',
    'curl -u admin:$PASSWORD https://example.com',
    'machine example.com login me',
    'the machine has login me password',
    'grep -ps3cret',
  ])('is none in %j', (text) => {
    expect(found(text)).toEqual([]);
  });
});
