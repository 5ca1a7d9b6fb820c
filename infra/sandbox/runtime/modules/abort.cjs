'use strict';

const { Event, EventTarget } = require('event-target-shim');

const states = new WeakMap();

class AbortSignal extends EventTarget {
  get aborted() {
    return states.has(this);
  }

  get reason() {
    return states.get(this)?.reason;
  }

  throwIfAborted() {
    if (this.aborted) throw this.reason;
  }

  static abort(reason) {
    const controller = new AbortController();
    controller.abort(reason);
    return controller.signal;
  }

  static timeout(milliseconds) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(named('TimeoutError', 'The operation timed out')), milliseconds);
    return controller.signal;
  }
}
Object.defineProperty(AbortSignal.prototype, Symbol.toStringTag, { value: 'AbortSignal' });
Object.defineProperty(AbortSignal.prototype, 'onabort', {
  configurable: true,
  get() {
    return handlers.get(this) ?? null;
  },
  set(handler) {
    const earlier = handlers.get(this);
    if (earlier) this.removeEventListener('abort', earlier);
    handlers.delete(this);
    if (typeof handler !== 'function') return;
    handlers.set(this, handler);
    this.addEventListener('abort', handler);
  },
});
const handlers = new WeakMap();

class AbortController {
  signal = new AbortSignal();

  abort(reason = named('AbortError', 'This operation was aborted')) {
    if (this.signal.aborted) return;
    states.set(this.signal, { reason });
    this.signal.dispatchEvent(new Event('abort'));
  }
}

function named(name, message) {
  const error = new Error(message);
  error.name = name;
  error.code = name === 'AbortError' ? 20 : 23;
  return error;
}

module.exports = { AbortController, AbortSignal, Event, EventTarget };
