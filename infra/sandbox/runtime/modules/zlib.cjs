'use strict';

const { Buffer } = require('buffer');
const { Transform } = require('stream');
const fflate = require('fflate');

/** All at once at the end: an answer is here as a whole before anybody reads it. */
function collecting(work) {
  return () => {
    const chunks = [];
    return new Transform({
      transform(chunk, encoding, done) {
        chunks.push(Buffer.from(chunk, encoding));
        done();
      },
      flush(done) {
        let result;
        try {
          const bytes = Buffer.concat(chunks);
          result = bytes.length === 0 ? bytes : toBuffer(work(bytes));
        } catch (error) {
          done(Object.assign(new Error(error.message), { code: 'Z_DATA_ERROR', errno: -3 }));
          return;
        }
        done(null, result);
      },
    });
  };
}

const toBuffer = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const bytesOf = (value) => (typeof value === 'string' ? Buffer.from(value) : value);
const sync = (work) => (value) => toBuffer(work(bytesOf(value)));
const later = (work) => (value, options, callback) => {
  const done = callback ?? options;
  let result;
  try {
    result = sync(work)(value);
  } catch (error) {
    queueMicrotask(() => done(error));
    return;
  }
  queueMicrotask(() => done(null, result));
};

const works = {
  Gunzip: fflate.gunzipSync,
  Unzip: fflate.decompressSync,
  Inflate: fflate.unzlibSync,
  InflateRaw: fflate.inflateSync,
  Gzip: (bytes) => fflate.gzipSync(bytes),
  Deflate: (bytes) => fflate.zlibSync(bytes),
  DeflateRaw: (bytes) => fflate.deflateSync(bytes),
};

for (const [name, work] of Object.entries(works)) {
  const method = name[0].toLowerCase() + name.slice(1);
  exports[`create${name}`] = collecting((bytes) => work(bytes));
  exports[`${method}Sync`] = sync((bytes) => work(bytes));
  exports[method] = later((bytes) => work(bytes));
}
exports.constants = { Z_NO_FLUSH: 0, Z_SYNC_FLUSH: 2, Z_FINISH: 4 };
Object.assign(exports, exports.constants);
