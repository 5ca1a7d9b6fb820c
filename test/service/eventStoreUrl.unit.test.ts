import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseEventStoreUrl } from '#src/eventStoreUrl.ts';
import { SettingError } from '#src/settingValues.ts';

const test = suite('connection strings of event stores');

test('given one host, several, with ports or without, then each is read', () => {
  const hosts = (text: string) =>
    parseEventStoreUrl(text).hosts.map(({ address, port }) => `${address} ${port}`);
  assert.equal(hosts('esdb://a?tls=false'), ['a 2113']);
  assert.equal(hosts('esdb://a:1,b:2,c?tls=false'), ['a 1', 'b 2', 'c 2113']);
  assert.equal(hosts(' esdb://u:p@a:2113,b:2113,c:2113/?nodePreference=leader '), [
    'a 2113',
    'b 2113',
    'c 2113',
  ]);
  assert.equal(hosts('kurrentdb://u:p@[::1]:2114/'), ['[::1] 2114']);
});

test('given each scheme, then it is accepted, and says whether a name stands for all nodes', () => {
  const discovers = (scheme: string) => parseEventStoreUrl(`${scheme}://a:1?tls=false`).discover;
  assert.equal(['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover'].map(discovers), [
    false,
    true,
    false,
    true,
  ]);
});

test('given passwords with any sign, encoded or not, then they are read as they are meant', () => {
  const password = (text: string) => parseEventStoreUrl(`esdb://user:${text}@a`).credentials?.password;
  const wanted = 'p%@/:?#&=+ü$!';
  assert.is(password(encodeURIComponent(wanted)), wanted);
  assert.is(password('100%'), '100%');
  assert.is(password('50%zz:a@b'), '50%zz:a@b');
  assert.is(password('a/b?c'), 'a/b?c');
});

test('given something wrong, then it is one sentence without the password', () => {
  const wrong: [string, string][] = [
    ['http://user:s3cret@a', 'must start with one of esdb://'],
    ['s3cret', 'must start with one of'],
    ['esdb://a:2113', 'must name a user and password'],
    ['esdb://s3cret@a:2113', "user:password before its '@'"],
    ['esdb://user:s3cret@a:99999', 'hosts as host:port'],
    ['esdb://user:s3cret@a:x', 'hosts as host:port'],
    ['esdb://user:s3cret@', 'hosts as host:port'],
    ['esdb://user:s3cret@a?tlsVerifyCert=false', 'tlsCAFile'],
    ['esdb://user:s3cret@a?tls', 'key=value'],
  ];
  for (const [text, sentence] of wrong) {
    try {
      parseEventStoreUrl(text);
      assert.unreachable(text);
    } catch (error) {
      assert.instance(error, SettingError);
      assert.match(String(error), sentence);
      assert.not.match(String(error), 's3cret');
      assert.not.match(String(error), '\n');
    }
  }
});

test.run();
