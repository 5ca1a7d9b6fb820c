'use strict';

/** What was begun outside and is waited for. Nothing of it survives the invocation that began it. */
module.exports = function track({ create, define, Error, ownKeys }, send, limit, uncaught) {
  let callbacks = create(null);
  let count = 0;
  let lastId = 0;
  let open = false;

  /** @param callback is called once with (failed, payload), unless it is cancelled before */
  function begin(kind, payload, callback) {
    if (count >= limit) {
      const error = new Error(`More than ${limit} timers and calls are under way`);
      define(error, 'code', 'ERR_TOO_MANY_PENDING');
      throw error;
    }
    lastId += 1;
    const id = lastId;
    // What code does behind the back of an invocation that has ended is not even begun.
    if (!open) return id;
    callbacks[id] = callback;
    count += 1;
    try {
      send(id, kind, payload);
    } catch (error) {
      take(id);
      throw error;
    }
    return id;
  }

  function take(id) {
    const callback = callbacks[id];
    if (callback === undefined) return undefined;
    delete callbacks[id];
    count -= 1;
    return callback;
  }

  function cancel(id) {
    if (take(id) !== undefined) send(id, 'cancel', `${id}`);
  }

  function settle(id, failed, payload) {
    const callback = take(id);
    if (callback === undefined) return;
    try {
      callback(failed, payload);
    } catch (error) {
      uncaught(error);
    }
  }

  function forgetAll() {
    open = false;
    const ids = ownKeys(callbacks);
    callbacks = create(null);
    count = 0;
    for (let i = 0; i < ids.length; i += 1) send(+ids[i], 'cancel', ids[i]);
  }

  return { begin, cancel, settle, forgetAll, accept: () => void (open = true) };
};
