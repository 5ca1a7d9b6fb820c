'use strict';

const { Buffer } = require('buffer');
const { URL, urlToHttpOptions } = require('url');

/** The arguments of `request`, in any of their orders. */
function readArguments(input, options, callback) {
  let given = options;
  let onResponse = callback;
  if (typeof given === 'function') {
    onResponse = given;
    given = undefined;
  }
  if (typeof input === 'string') return [{ ...urlToHttpOptions(new URL(input)), ...given }, onResponse];
  if (typeof input?.href === 'string' && typeof input.searchParams === 'object') {
    return [{ ...urlToHttpOptions(input), ...given }, onResponse];
  }
  return [{ ...input, ...given }, onResponse];
}

function urlOf(options, defaultProtocol) {
  const protocol = options.protocol ?? defaultProtocol;
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw Object.assign(
      new TypeError(`Protocol "${protocol}" not supported. Expected "${defaultProtocol}"`),
      {
        code: 'ERR_INVALID_PROTOCOL',
      },
    );
  }
  const path = options.path ?? '/';
  if (/[^\u0021-\u00ff]/.test(path)) {
    throw Object.assign(new TypeError('Request path contains unescaped characters'), {
      code: 'ERR_UNESCAPED_CHARACTERS',
    });
  }
  const port = options.port ?? options.defaultPort;
  const host = options.hostname || options.host || 'localhost';
  const authority = host.includes(':') && !host.startsWith('[') && options.hostname ? `[${host}]` : host;
  const hasPort = port !== undefined && port !== null && port !== '';
  return `${protocol}//${authority}${hasPort ? `:${port}` : ''}${path.startsWith('/') ? '' : '/'}${path}`;
}

const authorizationOf = (auth) => `Basic ${Buffer.from(auth, 'utf8').toString('base64')}`;

module.exports = { authorizationOf, readArguments, urlOf };
