import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IntegrityError } from '#ports/vault.ts';
import { lengthPrefixed } from '#infra/vault/crypto/lengthPrefixed.ts';
import { random } from '#infra/vault/crypto/random.ts';
import {
  keyOf,
  newSalt,
  open,
  openDirect,
  openOldDirect,
  openSalted,
  seal,
  sealDirect,
  sealSalted,
} from '#infra/vault/crypto/seal.ts';

const test = suite('sealed values');

const key = keyOf(randomBytes(32));
const place = lengthPrefixed('test', 'tenant', 'payload', 'data');
const anyBytes = fc.uint8Array({ maxLength: 600 });
type Open = typeof open;
/** The salt lies apart in rows of payloads; here it follows the rest, so that nothing of it escapes the tests. */
const salted = {
  sealBy: ((under, at, content) => {
    const salt = newSalt();
    return Buffer.concat([sealSalted(under, salt, at, content), salt]);
  }) satisfies typeof seal,
  openBy: ((under, at, sealed) => {
    const saltAt = Math.max(0, sealed.length - 32);
    return openSalted(under, sealed.subarray(saltAt), at, sealed.subarray(0, saltAt));
  }) satisfies Open,
};
const algorithms = {
  committing: { sealBy: seal, openBy: open },
  salted,
  direct: { sealBy: sealDirect, openBy: openDirect },
};
const refuses = (openBy: Open, sealed: Uint8Array, under = key, at = place): void => {
  assert.throws(
    () => openBy(under, at, sealed),
    (error: unknown) => error instanceof IntegrityError,
  );
};

for (const [name, { sealBy, openBy }] of Object.entries(algorithms)) {
  test(`given any content, when it was sealed (${name}), then it opens to the same`, () => {
    fc.assert(
      fc.property(anyBytes, (content) => {
        assert.equal(Uint8Array.from(openBy(key, place, sealBy(key, place, content))), content);
      }),
    );
  });

  test(`given a sealed value (${name}), when any one bit is changed, then it is refused`, () => {
    const sealed = sealBy(key, place, Buffer.from('4242424242424242'));
    for (let at = 0; at < sealed.length * 8; at += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at >> 3) ^ (1 << (at & 7)), at >> 3);
      refuses(openBy, changed);
    }
  });

  test(`given a sealed value (${name}), when it is cut anywhere, or longer, then it is refused`, () => {
    const sealed = sealBy(key, place, Buffer.from('4242424242424242'));
    for (let length = 0; length < sealed.length; length += 1) refuses(openBy, sealed.subarray(0, length));
    refuses(openBy, Buffer.concat([sealed, Buffer.alloc(1)]));
  });

  test(`given a valid ciphertext (${name}) with a tag of 4 bytes, when it is opened, then it is refused`, () => {
    const sealed = sealBy(key, place, Buffer.alloc(0));
    refuses(openBy, sealed.subarray(0, sealed.length - 12));
  });

  test(`given a sealed value (${name}), when key or place is another, then it is refused`, () => {
    const sealed = sealBy(key, place, Buffer.from('4242424242424242'));
    refuses(openBy, sealed, keyOf(randomBytes(32)));
    refuses(openBy, sealed, key, lengthPrefixed('test', 'tenant', 'payload', 'part'));
  });
}

for (const [name, { sealBy, openBy: own }] of Object.entries(algorithms)) {
  test(`given a sealed value (${name}), when it is opened as that of another algorithm, then it is refused`, () => {
    const sealed = sealBy(key, place, Buffer.from('4242424242424242'));
    for (const openBy of [open, salted.openBy, openDirect, openOldDirect]) {
      if (openBy !== own) refuses(openBy, sealed);
      for (const algorithm of [0, 1, 2, 3, 4, 255]) {
        // Algorithms 2 and 4 differ in what the place says alone, which the tests of parts hold.
        const isDirect = own === openDirect && (openBy === openDirect || openBy === openOldDirect);
        if (algorithm === sealed[0] || isDirect) continue;
        refuses(openBy, Buffer.concat([Buffer.of(algorithm), sealed.subarray(1)]));
      }
    }
  });
}

test('given a salted value, then its key and nonce are one block of HKDF-Expand by RFC 5869', () => {
  const bytes = Buffer.alloc(32, 7);
  const salt = newSalt();
  const sealed = sealSalted(keyOf(bytes), salt, place, Buffer.from('4242'));
  const info = Buffer.concat([Buffer.from('holdfast seal 3:'), salt, place]);
  const block = createHmac('sha512', bytes).update(info).update(Buffer.of(1)).digest();
  const encryption = createCipheriv('aes-256-gcm', block.subarray(0, 32), block.subarray(32, 44));
  encryption.setAAD(place);
  const ciphertext = Buffer.concat([encryption.update('4242'), encryption.final()]);
  assert.equal(sealed, Buffer.concat([Buffer.of(3), ciphertext, encryption.getAuthTag()]));
});

test('given one value sealed with two salts, then the ciphertexts differ, and neither opens with the salt of the other', () => {
  const [one, other] = [newSalt(), newSalt()];
  const content = Buffer.from('4242424242424242');
  const sealed = sealSalted(key, one, place, content);
  assert.not.equal(sealed, sealSalted(key, other, place, content));
  for (const salt of [other, Buffer.alloc(32), one.subarray(1), Buffer.alloc(0)]) {
    refuses((under, at, bytes) => openSalted(under, salt, at, bytes), sealed);
  }
});

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
    open,
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
