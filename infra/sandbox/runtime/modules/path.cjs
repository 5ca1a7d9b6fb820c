'use strict';

/** Names of files that are sent in forms; there are no files. */
const basename = (path) => String(path).replace(/\/+$/, '').split('/').pop();

module.exports = {
  sep: '/',
  basename,
  extname: (path) => /[^.](\.[^.]*)$/.exec(basename(path))?.[1] ?? '',
  normalize: (path) => String(path).replace(/\\/g, '/'),
  join: (...parts) => parts.join('/').replace(/\/+/g, '/'),
};
