'use strict';

/** What libraries ask of `process` while they are loaded. It knows nothing and can do nothing. */
module.exports = function makeProcess({ apply, define, now, toStringTag, Error }, timers) {
  const began = now();
  const nothing = () => undefined;
  const { nextTick } = timers;
  const hrtime = (earlier) => {
    const elapsed = now() - began;
    const time = [(elapsed - (elapsed % 1000)) / 1000, (elapsed % 1000) * 1e6];
    if (earlier === undefined) return time;
    const seconds = time[0] - earlier[0];
    const nanoseconds = time[1] - earlier[1];
    return nanoseconds < 0 ? [seconds - 1, nanoseconds + 1e9] : [seconds, nanoseconds];
  };
  const { BigInt } = globalThis;
  define(hrtime, 'bigint', () => BigInt(now() - began) * 1_000_000n);

  const process = {
    title: 'node',
    version: 'v16.20.2',
    versions: { node: '16.20.2' },
    platform: 'linux',
    arch: 'x64',
    env: {},
    argv: [],
    execArgv: [],
    pid: 1,
    browser: false,
    release: { name: 'node' },
    hrtime,
    // Libraries ask whether these are terminals. What is written to them goes nowhere.
    stdout: { fd: 1, isTTY: false, write: () => true },
    stderr: { fd: 2, isTTY: false, write: () => true },
    nextTick: (...args) => apply(nextTick, undefined, args),
    cwd: () => '/',
    uptime: () => (now() - began) / 1000,
    exit() {
      throw new Error('process.exit is not available');
    },
    emitWarning: nothing,
    emit: () => false,
    listeners: () => [],
    listenerCount: () => 0,
  };
  const chained = ['on', 'once', 'off', 'addListener', 'removeListener', 'removeAllListeners'];
  for (const name of chained) process[name] = () => process;
  // By this libraries tell Node from a browser.
  define(process, toStringTag, 'process');
  return process;
};
