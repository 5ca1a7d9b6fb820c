'use strict';

const { Buffer } = require('buffer');
const { bytes, call, callingBack, fromBase64 } = require('./bridge.cjs');

/** Small amounts come from a store, so that not every identifier crosses over. */
const storeSize = 1024;
let store = Buffer.alloc(0);

function take(size) {
  if (!(size > 0 && size <= 64)) return fromBase64(call('random', { size }));
  if (store.length < size) store = fromBase64(call('random', { size: storeSize }));
  const taken = Buffer.from(store.slice(0, size));
  store = store.slice(size);
  return taken;
}

function randomBytes(size, callback) {
  if (callback === undefined) return take(size);
  callingBack(take)(size, callback);
  return undefined;
}

function randomFillSync(target, offset = 0, size = undefined) {
  const view = bytes(target);
  const scale = target.BYTES_PER_ELEMENT ?? 1;
  const begin = offset * scale;
  const length = size === undefined ? view.length - begin : size * scale;
  view.set(take(length), begin);
  return target;
}

function randomInt(...args) {
  const callback = typeof args[args.length - 1] === 'function' ? args.pop() : undefined;
  const [min, max] = args.length === 1 ? [0, args[0]] : args;
  if (callback === undefined) return call('randomInt', { min, max });
  callingBack(() => call('randomInt', { min, max }))(callback);
  return undefined;
}

function randomUUID() {
  const id = take(16);
  id[6] = (id[6] & 0x0f) | 0x40;
  id[8] = (id[8] & 0x3f) | 0x80;
  const hex = id.toString('hex');
  const at = [0, 8, 12, 16, 20, 32];
  return at
    .slice(1)
    .map((end, i) => hex.slice(at[i], end))
    .join('-');
}

function timingSafeEqual(left, right) {
  const [a, b] = [bytes(left), bytes(right)];
  if (a.length !== b.length) {
    throw Object.assign(new RangeError('Input buffers must have the same byte length'), {
      code: 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH',
    });
  }
  let difference = 0;
  for (let i = 0; i < a.length; i += 1) difference |= a[i] ^ b[i];
  return difference === 0;
}

const getRandomValues = (array) => {
  if (array.byteLength > 65_536) throw new RangeError('More than 65536 bytes of entropy were asked for');
  return randomFillSync(array);
};

module.exports = {
  getRandomValues,
  pseudoRandomBytes: randomBytes,
  randomBytes,
  randomFill: (target, ...rest) => callingBack(randomFillSync)(target, ...rest),
  randomFillSync,
  randomInt,
  randomUUID,
  rng: randomBytes,
  timingSafeEqual,
  webcrypto: { getRandomValues, randomUUID },
};
