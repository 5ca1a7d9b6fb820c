'use strict';

const part = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const four = new RegExp(`^${part}(?:\\.${part}){3}$`);

function isIPv6(text) {
  if (!/^[\da-f:.]*$/i.test(text) || !text.includes(':')) return false;
  try {
    return new URL(`http://[${text}]/`).hostname !== '';
  } catch {
    return false;
  }
}

const isIPv4 = (text) => four.test(String(text));
const isIP = (text) => (isIPv4(text) ? 4 : isIPv6(String(text)) ? 6 : 0);

function connect() {
  throw Object.assign(new Error('Code has no connections of its own here: use https'), {
    code: 'ERR_FEATURE_UNAVAILABLE',
  });
}

function Socket() {
  connect();
}

module.exports = {
  Socket,
  connect,
  createConnection: connect,
  isIP,
  isIPv4,
  isIPv6: (text) => isIPv6(String(text)),
};
