'use strict';

/** `require`. Which module a name means, and for whom, is decided outside. */
module.exports = function makeModules(primordials, resolve, source, given) {
  const { apply, compile, create, define, endsWith, lastIndexOf, ownKeys, parse, slice } = primordials;
  const { Error, TypeError } = primordials;
  const loaded = create(null);
  const names = ownKeys(given);
  for (let i = 0; i < names.length; i += 1) loaded[names[i]] = { exports: given[names[i]] };

  /** By the constructor of functions, no closing brace of the code leads out of it. */
  const compileBody = (code) => compile('exports', 'require', 'module', '__filename', '__dirname', code);

  function run(body, module, require, filename) {
    const directory = slice(filename, 0, lastIndexOf(filename, '/'));
    apply(body, module.exports, [module.exports, require, module, filename, directory]);
  }

  function load(id) {
    if (loaded[id] !== undefined) return loaded[id].exports;
    const module = { id, exports: {}, loaded: false };
    loaded[id] = module;
    try {
      const code = source(id);
      if (endsWith(id, '.json')) module.exports = parse(code);
      else run(compileBody(code), module, requireOf(id), `/${id}`);
    } catch (error) {
      delete loaded[id];
      throw error;
    }
    module.loaded = true;
    return module.exports;
  }

  /** @param from '' is the tenant's code */
  function requireOf(from) {
    const find = (request) => {
      if (typeof request !== 'string') {
        const error = new TypeError('The "id" argument must be of type string.');
        define(error, 'code', 'ERR_INVALID_ARG_TYPE');
        throw error;
      }
      const id = resolve(from, request);
      if (id !== '' && id[0] !== '!') return id;
      const error = new Error(id === '' ? `Cannot find module '${request}'` : slice(id, 1, id.length));
      error.code = 'MODULE_NOT_FOUND';
      error.requireStack = [];
      throw error;
    };
    // No arrow: as in Node, old code may write `new require('x')`.
    function require(request) {
      return load(find(request));
    }
    define(require, 'resolve', (request) => find(request) && request);
    define(require, 'cache', create(null));
    return require;
  }

  return { load, requireOf, run, compileBody };
};
