'use strict';

const levels = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  dir: 'info',
  dirxml: 'info',
  table: 'info',
  group: 'info',
  groupCollapsed: 'info',
  count: 'info',
  timeLog: 'info',
  timeEnd: 'info',
  warn: 'warn',
  error: 'error',
  trace: 'error',
};
const silent = ['groupEnd', 'countReset', 'time', 'clear', 'profile', 'profileEnd'];

/** @param inspection loads what formats values; plain text does without */
module.exports = function makeConsole({ apply, ownKeys, slice }, log, limits, inspection) {
  let open = false;
  let lines = 0;
  let length = 0;

  function write(level, text) {
    if (!open) return;
    lines += 1;
    const room = limits.logLength - length;
    if (lines > limits.logLines || room <= 0) {
      open = false;
      log('warn', 'Further output was dropped.');
      return;
    }
    const written = text.length > room ? slice(text, 0, room) : text;
    length += written.length;
    log(level, written);
  }

  function format(name, args) {
    if (args.length === 1 && typeof args[0] === 'string') return args[0];
    const { inspect, format: printf, table } = inspection();
    if (name === 'dir' || name === 'dirxml') return inspect(args[0], args[1]);
    if (name === 'table') return table(args[0]);
    if (name === 'count' || name === 'timeLog' || name === 'timeEnd') return `${args[0] ?? 'default'}`;
    return apply(printf, undefined, args);
  }

  function print(name, args) {
    if (!open) return;
    let text;
    try {
      text = format(name, args);
      if (typeof text !== 'string') return;
      if (name === 'trace') text = `Trace: ${text}`;
    } catch {
      // A value that cannot be shown, or a language that the code has bent: no reason to fail.
      text = '[a value that cannot be shown]';
    }
    write(levels[name], text);
  }

  const console = {};
  const names = ownKeys(levels);
  for (let i = 0; i < names.length; i += 1) console[names[i]] = (...args) => print(names[i], args);
  for (let i = 0; i < silent.length; i += 1) console[silent[i]] = () => undefined;
  console.assert = (condition, ...args) => {
    if (condition) return;
    if (typeof args[0] === 'string') args[0] = `Assertion failed: ${args[0]}`;
    print('warn', args.length === 0 ? ['Assertion failed'] : args);
  };

  return {
    console,
    start() {
      open = true;
      lines = 0;
      length = 0;
    },
    stop() {
      open = false;
    },
  };
};
