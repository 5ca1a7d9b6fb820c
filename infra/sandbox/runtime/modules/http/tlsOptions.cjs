'use strict';

const { Buffer } = require('buffer');

const unavailable = ['pfx', 'socketPath', 'createConnection'];

/** What is not carried out would be a failure that nobody understands. */
function refuseUnavailable(options) {
  for (const name of unavailable) {
    if (options[name] === undefined || options[name] === null) continue;
    const instead = name === 'pfx' ? '; "cert" and "key" in PEM are' : '';
    throw failure('ERR_FEATURE_UNAVAILABLE', `The option "${name}" is not available${instead}`);
  }
}

/**
 * Which certificate the connection shows, and whom it trusts; undefined: nothing of its own. An encrypted key is
 * decrypted here, where what that costs is the code's own.
 */
function tlsOf(options) {
  // As in Node, what the agent says counts.
  const { cert, key, ca, passphrase } = { ...options, ...named(options.agent?.options) };
  const tls = { cert: single(cert, 'cert'), key: single(key, 'key'), ca: all(ca, 'ca') };
  if ((tls.cert === undefined) !== (tls.key === undefined)) {
    throw failure('ERR_INVALID_ARG_VALUE', 'The options "cert" and "key" must be given together');
  }
  if (tls.key !== undefined) tls.key = decrypted(tls.key, passphrase);
  return tls.cert === undefined && tls.ca === undefined ? undefined : tls;
}

const named = (options) =>
  Object.fromEntries(
    Object.entries(options ?? {}).filter(([, value]) => value !== undefined && value !== null),
  );

const given = (value) => [value].flat().filter((one) => one !== undefined && one !== null);

function single(value, name) {
  const [one, ...others] = given(value);
  if (others.length > 0) throw failure('ERR_INVALID_ARG_VALUE', `The option "${name}" must be one, in PEM`);
  return one === undefined || name === 'key' ? one : textOf(one, name);
}

function all(value, name) {
  const texts = given(value).map((one) => textOf(one, name));
  return texts.length === 0 ? undefined : texts.join('\n');
}

function textOf(value, name) {
  if (typeof value === 'string') return value;
  if (ArrayBuffer.isView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
  }
  throw failure(
    'ERR_INVALID_ARG_TYPE',
    `The option "${name}" must be of type string or an instance of Buffer`,
  );
}

function decrypted(key, passphrase) {
  const { KeyObject, createPrivateKey } = require('../crypto.cjs');
  const { pem, passphrase: own = passphrase } = key?.pem === undefined ? { pem: key } : key;
  const object =
    pem instanceof KeyObject ? pem : createPrivateKey({ key: textOf(pem, 'key'), passphrase: own });
  return object.export({ type: 'pkcs8', format: 'pem' });
}

const failure = (code, message) => Object.assign(new Error(message), { code });

module.exports = { refuseUnavailable, tlsOf };
