/**
 * Walks all that code can reach, by members, symbols, prototypes and getters, and says what does not belong to its
 * own realm, and every text that it met.
 */
export const walker = String.raw`
const own = new Set([Object.prototype, null]);
const isForeign = (value) => {
  let at = value;
  for (let i = 0; i < 1000 && !own.has(at); i++) {
    try { at = Object.getPrototypeOf(at) } catch { return false }
  }
  if (!own.has(at)) return true;
  if (typeof value !== 'function') return false;
  try {
    const made = value.constructor.constructor('return globalThis')();
    return typeof made === 'object' && made !== globalThis;
  } catch { return false }
};
const walk = (roots, most = 60000) => {
  const seen = new Set(), foreign = [], texts = new Set();
  const queue = Object.entries(roots);
  const take = (path, value) => {
    if (typeof value === 'string') { if (value.length < 1000) texts.add(value); return }
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
    seen.add(value);
    queue.push([path, value]);
  };
  for (const [path, value] of queue.splice(0)) take(path, value);
  for (let i = 0; i < queue.length && i < most; i++) {
    const [path, value] = queue[i];
    if (isForeign(value)) foreign.push(path);
    let keys = [];
    try { keys = Reflect.ownKeys(value) } catch {}
    for (const key of keys.slice(0, 2000)) {
      try { take(path + '.' + String(key), value[key]) } catch (error) { take(path + '!' + String(key), error) }
      let found;
      try { found = Object.getOwnPropertyDescriptor(value, key) } catch { continue }
      take(path + '<' + String(key), found && found.get);
      take(path + '>' + String(key), found && found.set);
    }
    try { take(path + '^', Object.getPrototypeOf(value)) } catch (error) { take(path + '!^', error) }
  }
  return { foreign, visited: seen.size, texts: [...texts] };
};
const thrown = (f) => { try { return f() } catch (error) { return error } };
const failed = async (f) => { try { return await f() } catch (error) { return error } };
`;
