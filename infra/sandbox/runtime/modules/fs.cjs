'use strict';

const { Buffer } = require('buffer');
const outside = require('holdfast:outside');

/** The files that packages have beside their code: fonts, tables. There are no others, and none can be written. */
function readFileSync(path, options) {
  const bytes = contentOf(path);
  if (bytes === undefined) throw missing('open', path);
  const encoding = typeof options === 'string' ? options : options?.encoding;
  return encoding ? bytes.toString(encoding) : bytes;
}

/** A key or certificate in the place of a path is what it says: some packages take nothing but paths. */
function contentOf(path) {
  const text = String(path);
  if (/^\s*-----BEGIN /.test(text)) return Buffer.from(text, 'utf8');
  const content = outside.file(text.replace(/^\//, ''));
  return content === '' ? undefined : Buffer.from(content, 'base64');
}

function missing(call, path) {
  return Object.assign(new Error(`ENOENT: no such file or directory, ${call} '${path}'`), {
    code: 'ENOENT',
    errno: -2,
    syscall: call,
    path,
  });
}

function readFile(path, options, callback = options) {
  let bytes;
  try {
    bytes = readFileSync(path, options);
  } catch (error) {
    queueMicrotask(() => callback(error));
    return;
  }
  queueMicrotask(() => callback(null, bytes));
}

const existsSync = (path) => contentOf(path) !== undefined;

/** What else libraries take hold of while they are loaded. */
function unavailable() {
  throw Object.assign(new Error('Code has no files here'), { code: 'ERR_FEATURE_UNAVAILABLE' });
}

module.exports = {
  constants: {},
  createReadStream: unavailable,
  createWriteStream: unavailable,
  existsSync,
  promises: {},
  readFile,
  readFileSync,
  stat: (path, callback) => queueMicrotask(() => callback(missing('stat', path))),
  statSync(path) {
    throw missing('stat', path);
  },
};
