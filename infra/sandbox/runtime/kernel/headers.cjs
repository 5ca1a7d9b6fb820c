'use strict';

/**
 * The headers of a message, as code sees and returns them. Names stand in them as they were sent, and are found,
 * replaced and deleted in any spelling; copies made by spreading are plain objects.
 */
module.exports = function makeHeaders(primordials) {
  const { create, isArray, ownKeys, parse, Proxy, reflect, stringify, toLowerCase } = primordials;
  const { defineProperty, deleteProperty, get, getOwnPropertyDescriptor, has, isExtensible, set } = reflect;
  const hasOwn = (target, name) => getOwnPropertyDescriptor(target, name) !== undefined;

  /** The name as it stands there; what objects have anyway, such as `hasOwnProperty`, comes before. */
  function spelled(target, name) {
    if (typeof name !== 'string' || has(target, name)) return name;
    const wanted = toLowerCase(name);
    const names = ownKeys(target);
    for (let i = 0; i < names.length; i += 1) {
      if (typeof names[i] === 'string' && toLowerCase(names[i]) === wanted) return names[i];
    }
    return name;
  }

  const handler = create(null);
  handler.get = (target, name, receiver) => get(target, spelled(target, name), receiver);
  handler.has = (target, name) => has(target, spelled(target, name));
  handler.set = (target, name, value, receiver) => set(target, spelled(target, name), value, receiver);
  handler.deleteProperty = (target, name) => deleteProperty(target, spelled(target, name));
  handler.defineProperty = (target, name, descriptor) =>
    defineProperty(target, spelled(target, name), descriptor);
  handler.getOwnPropertyDescriptor = (target, name) => {
    const own = getOwnPropertyDescriptor(target, name);
    // Of an object that was frozen, the language lets nobody tell more than there is.
    if (own !== undefined || !isExtensible(target)) return own;
    return getOwnPropertyDescriptor(target, spelled(target, name));
  };

  const isObject = (value) => typeof value === 'object' && value !== null && !isArray(value);

  /** @param args JSON of `req.args`, a message */
  function withHeaders(args) {
    const message = parse(args);
    if (isObject(message) && hasOwn(message, 'headers') && isObject(message.headers)) {
      message.headers = new Proxy(message.headers, handler);
    }
    return message;
  }

  /**
   * A header that is undefined takes away one of the same name in another spelling, which JSON would not tell.
   * @param message what code returned, or its `raw`
   */
  function headersIn(message) {
    const { headers } = message;
    if (!isObject(headers)) return headers;
    const json = stringify(headers, (_, value) => (value === undefined ? null : value));
    return json === undefined ? undefined : parse(json);
  }

  /**
   * What code returned and nothing is done with, so that it can be told of: texts as they are, of all else the name.
   * @param known the members that are let out
   */
  function othersIn(value, known) {
    const others = create(null);
    const names = ownKeys(value);
    for (let i = 0; i < names.length; i += 1) {
      const name = names[i];
      if (typeof name !== 'string' || known[name] === true) continue;
      if (!getOwnPropertyDescriptor(value, name)?.enumerable) continue;
      const member = value[name];
      if (member !== undefined && member !== null) others[name] = typeof member === 'string' ? member : null;
    }
    return others;
  }

  const membersOf = create(null);
  membersOf.headers = true;
  membersOf.body = true;

  function returnedMessage(value) {
    if (!isObject(value)) return value;
    const message = create(null);
    message.headers = headersIn(value);
    message.body = value.body;
    message.others = othersIn(value, membersOf);
    return message;
  }

  return { withHeaders, headersIn, othersIn, returnedMessage };
};
