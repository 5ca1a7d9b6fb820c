'use strict';

const { base64, call, callingBack, fromBase64 } = require('./bridge.cjs');
const { secretBytes } = require('./keyObject.cjs');

function pbkdf2Sync(password, salt, iterations, length, digest) {
  const request = { password: base64(password), salt: base64(salt), iterations, length, digest };
  return fromBase64(call('pbkdf2', request));
}

function scryptSync(password, salt, length, options = {}) {
  const cost = options.N ?? options.cost ?? 16_384;
  const blockSize = options.r ?? options.blockSize ?? 8;
  const parallelization = options.p ?? options.parallelization ?? 1;
  const request = {
    password: base64(password),
    salt: base64(salt),
    length,
    cost,
    blockSize,
    parallelization,
  };
  return fromBase64(call('scrypt', request));
}

function scrypt(password, salt, length, options, callback) {
  if (typeof options === 'function') callingBack(scryptSync)(password, salt, length, options);
  else callingBack(scryptSync)(password, salt, length, options, callback);
}

/** Node gives an ArrayBuffer here, of these bytes alone. */
function hkdfSync(digest, key, salt, info, length) {
  const secret = secretBytes(key).toString('base64');
  const bytes = fromBase64(
    call('hkdf', { digest, key: secret, salt: base64(salt), info: base64(info), length }),
  );
  return new Uint8Array(bytes).buffer;
}

module.exports = {
  pbkdf2: callingBack(pbkdf2Sync),
  pbkdf2Sync,
  scrypt,
  scryptSync,
  hkdf: callingBack(hkdfSync),
  hkdfSync,
};
