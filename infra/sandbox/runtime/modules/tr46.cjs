'use strict';

const isPlain = /^[\x20-\x7e]*$/;

/** The tables of international names are large; a name in ASCII, and not already translated, needs none of them. */
function toASCII(domain, options) {
  if (isPlain.test(domain) && !/xn--/i.test(domain)) return domain.toLowerCase();
  return require('tr46/').toASCII(domain, options);
}

module.exports = { toASCII, toUnicode: (domain, options) => require('tr46/').toUnicode(domain, options) };
