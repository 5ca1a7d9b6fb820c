'use strict';

const isArrow = (member) => typeof member === 'function' && !Object.hasOwn(member, 'prototype');

function constructible(member) {
  function called(...args) {
    return member.apply(this, args);
  }
  Object.defineProperties(called, Object.getOwnPropertyDescriptors(member));
  return called;
}

/** Functions of Node are plain ones, and old code calls some with `new` (`new Buffer.from(…)`); arrows refuse that. */
module.exports = (members) =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, isArrow(member) ? constructible(member) : member]),
  );
