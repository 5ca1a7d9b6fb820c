import { createCipheriv, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IntegrityError } from '#ports/vault.ts';
import { lengthPrefixed } from '#infra/vault/crypto/lengthPrefixed.ts';
import { random } from '#infra/vault/crypto/random.ts';
import { keyOf, open, seal, sealDirectly } from '#infra/vault/crypto/seal.ts';

const test = suite('sealed values');

const key = keyOf(randomBytes(32));
const place = lengthPrefixed('test', 'tenant', 'payload', 'data');
const anyBytes = fc.uint8Array({ maxLength: 600 });
const algorithms = { committing: seal, direct: sealDirectly };
const refuses = (sealed: Uint8Array, under = key, at = place): void => {
  assert.throws(
    () => open(under, at, sealed),
    (error: unknown) => error instanceof IntegrityError,
  );
};

for (const [name, sealBy] of Object.entries(algorithms)) {
  test(`given any content, when it was sealed (${name}), then it opens to the same`, () => {
    fc.assert(
      fc.property(anyBytes, (content) => {
        assert.equal(Uint8Array.from(open(key, place, sealBy(key, place, content))), content);
      }),
    );
  });

  test(`given a sealed value (${name}), when any one bit is changed, then it is refused`, () => {
    const sealed = sealBy(key, place, Buffer.from('4242424242424242'));
    for (let at = 0; at < sealed.length * 8; at += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at >> 3) ^ (1 << (at & 7)), at >> 3);
      refuses(changed);
    }
  });

  test(`given a sealed value (${name}), when it is cut anywhere, or longer, then it is refused`, () => {
    const sealed = sealBy(key, place, Buffer.from('4242424242424242'));
    for (let length = 0; length < sealed.length; length += 1) refuses(sealed.subarray(0, length));
    refuses(Buffer.concat([sealed, Buffer.alloc(1)]));
  });

  test(`given a valid ciphertext (${name}) with a tag of 4 bytes, when it is opened, then it is refused`, () => {
    const sealed = sealBy(key, place, Buffer.alloc(0));
    refuses(sealed.subarray(0, sealed.length - 12));
  });

  test(`given a sealed value (${name}), when key or place is another, then it is refused`, () => {
    const sealed = sealBy(key, place, Buffer.from('4242424242424242'));
    refuses(sealed, keyOf(randomBytes(32)));
    refuses(sealed, key, lengthPrefixed('test', 'tenant', 'payload', 'part'));
  });
}

test('given a sealed value of the first release, when it is opened, then the format still holds', () => {
  const golden = Buffer.from(
    '01d0deb4b28e204b94bc7693bdf20e533671b16b9999a9b05a5b02ea6500aed99e63330dea6537b9e6602ebe7972d90b86f1' +
      'a434c419ea7cac92ff3093623b9cff8b908672f264fe85ccf7061eb0a7',
    'hex',
  );
  assert.is(open(keyOf(Buffer.alloc(32, 7)), place, golden).toString(), '"4242424242424242"');
});

test('given a ciphertext that is valid GCM but commits to another key, then it is refused', () => {
  const encryption = createCipheriv('aes-256-gcm', key, Buffer.alloc(12), { authTagLength: 16 });
  encryption.setAAD(place);
  const ciphertext = Buffer.concat([encryption.update('forged'), encryption.final()]);
  refuses(
    Buffer.concat([Buffer.of(1), randomBytes(32), Buffer.alloc(12), ciphertext, encryption.getAuthTag()]),
  );
});

test('given two lists of texts, when they differ, then so do their length-prefixed bytes', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 6 }), { maxLength: 4 });
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const equal = one.length === other.length && one.every((text, index) => text === other[index]);
      assert.is(lengthPrefixed(...one).equals(lengthPrefixed(...other)), equal);
    }),
  );
  assert.not.equal(lengthPrefixed('ab', 'c'), lengthPrefixed('a', 'bc'));
  assert.not.equal(lengthPrefixed('1:a'), lengthPrefixed('1', 'a'));
});

test('given a million nonces out of the pool, then none comes twice', () => {
  const seen = new Set<string>();
  for (let count = 0; count < 1_000_000; count += 1) seen.add(random(12).toString('latin1'));
  assert.is(seen.size, 1_000_000);
});

test.run();
