'use strict';

/**
 * The first script of a context; its value is `boot`. What runs inside the isolate has no protection of its own from
 * the tenant's code but this: the parts below are loaded before that code is, and use only what they then captured.
 * All of them are strict, so that `Error.prepareStackTrace` is not handed their functions.
 */
(function boot(resolve, source, crypto, send, log, limitsJson) {
  const compile = Function;
  const part = (name) => {
    const module = { exports: undefined };
    compile('module', source(`holdfast:kernel/${name}`))(module);
    return module.exports;
  };

  const primordials = part('primordials')(compile);
  const limits = primordials.parse(limitsJson);
  const errors = { uncaught: () => undefined };
  const pending = part('pending')(primordials, send, limits.pending, (error) => errors.uncaught(error));
  const timers = part('timers')(primordials, pending, (error) => errors.uncaught(error));
  const process = part('process')(primordials, timers);
  const modules = part('modules')(primordials, resolve, source, {
    'holdfast:outside': {
      begin: pending.begin,
      cancel: pending.cancel,
      crypto,
      file: (path) => source(`file:${path}`),
    },
    'holdfast:process': process,
    'holdfast:timers': timers,
  });
  const output = part('console')(primordials, log, limits, () => modules.load('holdfast:modules/inspect'));
  part('globals')(primordials, modules.load, { ...timers, process, console: output.console });
  const headers = part('headers')(primordials);
  const outcomes = part('outcome')(primordials, part('thrown'), headers, limits);
  return part('program')(primordials, { modules, pending, output, outcomes, headers, errors });
});
