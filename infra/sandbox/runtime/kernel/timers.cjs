'use strict';

const longest = 2_147_483_647;

/** Timers as Node has them: handles are objects, which some libraries `unref`. */
module.exports = function makeTimers(primordials, pending, uncaught) {
  const { apply, define, toPrimitive, TypeError } = primordials;

  function milliseconds(value) {
    const number = typeof value === 'symbol' || typeof value === 'bigint' ? 1 : +value;
    return number >= 1 && number <= longest ? number - (number % 1) : 1;
  }

  function check(callback) {
    if (typeof callback === 'function') return;
    const error = new TypeError('The "callback" argument must be of type function.');
    define(error, 'code', 'ERR_INVALID_ARG_TYPE');
    throw error;
  }

  class Timeout {
    #id = 0;
    #start;
    constructor(callback, delay, repeats, args) {
      this.#start = () => {
        this.#id = pending.begin('timer', `${delay}`, () => {
          if (repeats) this.#start();
          apply(callback, this, args);
        });
      };
      this.#start();
    }
    stop() {
      pending.cancel(this.#id);
    }
    refresh() {
      this.stop();
      this.#start();
      return this;
    }
    ref() {
      return this;
    }
    unref() {
      return this;
    }
    hasRef() {
      return true;
    }
    close() {
      this.stop();
      return this;
    }
    [toPrimitive]() {
      return this.#id;
    }
    static isTimeout(value) {
      return typeof value === 'object' && value !== null && #id in value;
    }
    static stop(handle) {
      pending.cancel(handle.#id);
    }
  }
  const { isTimeout, stop } = Timeout;

  const setTimeout = (callback, delay, ...args) => {
    check(callback);
    return new Timeout(callback, milliseconds(delay), false, args);
  };
  const setInterval = (callback, delay, ...args) => {
    check(callback);
    return new Timeout(callback, milliseconds(delay), true, args);
  };
  const setImmediate = (callback, ...args) => {
    check(callback);
    return new Timeout(callback, 0, false, args);
  };
  const clearTimeout = (handle) => {
    if (isTimeout(handle)) stop(handle);
    else if (typeof handle === 'number') pending.cancel(handle);
  };
  const queueMicrotask = (callback, ...args) => {
    check(callback);
    void soon(callback, args);
  };
  async function soon(callback, args) {
    await undefined;
    try {
      apply(callback, undefined, args);
    } catch (error) {
      uncaught(error);
    }
  }

  return {
    setTimeout,
    setInterval,
    setImmediate,
    clearTimeout,
    clearInterval: clearTimeout,
    clearImmediate: clearTimeout,
    queueMicrotask: (callback) => queueMicrotask(callback),
    nextTick: queueMicrotask,
  };
};
