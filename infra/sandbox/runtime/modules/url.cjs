'use strict';

const legacy = require('url/');
const standard = require('whatwg-url/');
const constructible = require('./constructible.cjs');
const inspectCustom = Symbol.for('nodejs.util.inspect.custom');

const { URLSearchParams } = standard;

/** With the code that libraries know an address by that is none. */
class URL extends standard.URL {
  constructor(input, base) {
    try {
      if (base === undefined) super(input);
      else super(input, base);
    } catch (error) {
      throw Object.assign(new TypeError('Invalid URL'), {
        code: 'ERR_INVALID_URL',
        input: String(input),
        cause: error,
      });
    }
  }

  [inspectCustom](_depth, options, inspect) {
    const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = this;
    const members = {
      href,
      origin,
      protocol,
      username,
      password,
      host,
      hostname,
      port,
      pathname,
      search,
      hash,
    };
    return `URL ${inspect(members, options)}`;
  }
}
URLSearchParams.prototype[inspectCustom] = function (_depth, options, inspect) {
  return `URLSearchParams ${inspect(Object.fromEntries(this), options)}`;
};

function urlToHttpOptions(url) {
  const options = {
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    hash: url.hash,
    search: url.search,
    pathname: url.pathname,
    path: `${url.pathname}${url.search}`,
    href: url.href,
  };
  if (url.port !== '') options.port = Number(url.port);
  if (url.username || url.password) {
    options.auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  }
  return options;
}

function format(value, options) {
  if (!(value instanceof standard.URL)) return legacy.format(value);
  const copy = new URL(value.href);
  if (options?.fragment === false) copy.hash = '';
  if (options?.search === false) copy.search = '';
  if (options?.auth === false) copy.username = copy.password = '';
  return copy.href;
}

const { domainToASCII, domainToUnicode } = require('./domains.cjs');

module.exports = constructible({
  ...legacy,
  URL,
  URLSearchParams,
  format,
  urlToHttpOptions,
  domainToASCII,
  domainToUnicode,
});
