'use strict';

/** Of the POSIX kind. Packages put names of files and URLs together by it; there are no files. */
const isAbsolute = (path) => path.startsWith('/');

function normalize(path) {
  const parts = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts[parts.length - 1] !== '..') parts.pop();
    else if (!isAbsolute(path)) parts.push(part);
  }
  const text = parts.join('/') + (parts.length > 0 && path.endsWith('/') ? '/' : '');
  return isAbsolute(path) ? `/${text}` : text || '.';
}

const join = (...parts) => normalize(parts.filter((part) => part !== '').join('/'));

function resolve(...parts) {
  const from = parts.findLastIndex(isAbsolute);
  return normalize(`/${join(...parts.slice(Math.max(from, 0)))}`).replace(/(.)\/$/, '$1');
}

function basename(path, suffix = '') {
  const name = String(path).replace(/\/+$/, '').split('/').pop();
  return name !== suffix && name.endsWith(suffix) ? name.slice(0, name.length - suffix.length) : name;
}

function dirname(path) {
  const [, directory] = /^(.*?)\/*[^/]+\/*$/s.exec(path) ?? [];
  return directory || (isAbsolute(path) ? '/' : '.');
}

const extname = (path) => /[^.](\.[^.]*)$/.exec(basename(path))?.[1] ?? '';

const posix = { basename, delimiter: ':', dirname, extname, isAbsolute, join, normalize, resolve, sep: '/' };

module.exports = Object.assign(posix, { posix });
