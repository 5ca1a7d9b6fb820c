'use strict';

/**
 * What the kernel uses of the language, taken before the tenant's code can replace it. Reading own members, template
 * literals, `typeof` and array literals are safe as they are; methods, `for … of` and spreading arrays are not.
 */
module.exports = function capture(compile) {
  const { apply, ownKeys } = Reflect;
  const { create, defineProperty } = Object;
  const { isArray } = Array;
  const {
    defineProperty: redefine,
    deleteProperty,
    get,
    getOwnPropertyDescriptor,
    has,
    isExtensible,
    set,
  } = Reflect;
  const { stringify, parse } = JSON;
  const { now } = Date;
  /** A method as a function of its receiver. */
  const uncurry =
    (method) =>
    (receiver, ...args) =>
      apply(method, receiver, args);

  // `await` looks these up, and would run what it finds.
  const fixed = create(null);
  fixed.writable = false;
  fixed.configurable = false;
  defineProperty(Promise.prototype, 'constructor', fixed);
  const unchangeable = create(null);
  unchangeable.configurable = false;
  defineProperty(Promise, Symbol.species, unchangeable);

  const define = (target, name, value) => {
    const descriptor = create(null);
    descriptor.value = value;
    descriptor.writable = true;
    descriptor.configurable = true;
    descriptor.enumerable = false;
    defineProperty(target, name, descriptor);
  };
  const defineLazily = (target, name, read) => {
    const descriptor = create(null);
    descriptor.configurable = true;
    descriptor.enumerable = false;
    descriptor.get = () => {
      const value = read();
      // A library that is being loaded by this very access may ask whether there is such a global.
      if (value !== undefined) define(target, name, value);
      return value;
    };
    descriptor.set = (value) => define(target, name, value);
    defineProperty(target, name, descriptor);
  };

  return {
    apply,
    compile,
    create,
    define,
    defineLazily,
    isArray,
    now,
    ownKeys,
    parse,
    reflect: {
      defineProperty: redefine,
      deleteProperty,
      get,
      getOwnPropertyDescriptor,
      has,
      isExtensible,
      set,
    },
    stringify,
    Error,
    Promise,
    Proxy,
    RangeError,
    String,
    Symbol,
    TypeError,
    toPrimitive: Symbol.toPrimitive,
    toStringTag: Symbol.toStringTag,
    endsWith: uncurry(String.prototype.endsWith),
    lastIndexOf: uncurry(String.prototype.lastIndexOf),
    slice: uncurry(String.prototype.slice),
    toLowerCase: uncurry(String.prototype.toLowerCase),
  };
};
