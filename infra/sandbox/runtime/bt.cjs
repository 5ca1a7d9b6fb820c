'use strict';

/**
 * The client library that code of a reactor is given as `req.bt`, bound to the reactor's application. It has the
 * surface of basis-theory-js, and stands on nothing but the language: it runs where there is no Node.
 *
 * A call is written as its method and path, then what its function takes after the parameters of the path:
 * - `body`: a model; `query`: filters. Options come last, always.
 * - `raw`: the names in body and answer are left as they are
 */
const crud = (path) => ({
  create: `POST ${path} body`,
  retrieve: `GET ${path}/:id`,
  update: `PUT ${path}/:id body`,
  delete: `DELETE ${path}/:id`,
  list: `GET ${path} query`,
});
const calls = {
  tokens: {
    ...crud('/tokens'),
    update: 'PATCH /tokens/:id body',
    listV2: 'GET /v2/tokens query',
    search: 'POST /tokens/search body',
    searchV2: 'POST /v2/tokens/search body',
  },
  reactors: {
    ...crud('/reactors'),
    patch: 'PATCH /reactors/:id body',
    react: 'POST /reactors/:id/react body raw',
    reactAsync: 'POST /reactors/:id/react-async body raw',
  },
  applications: {
    ...crud('/applications'),
    retrieveByKey: 'GET /applications/key',
    getApplicationByKey: 'GET /applications/key',
    regenerateKey: 'POST /applications/:id/regenerate',
  },
  applicationKeys: {
    create: 'POST /applications/:id/keys',
    get: 'GET /applications/:id/keys',
    getById: 'GET /applications/:id/keys/:keyId',
    delete: 'DELETE /applications/:id/keys/:keyId',
  },
  applicationTemplates: {
    retrieve: 'GET /application-templates/:id',
    list: 'GET /application-templates',
  },
  logs: {
    list: 'GET /logs query',
    getEntityTypes: 'GET /logs/entity-types',
  },
  permissions: { list: 'GET /permissions query' },
  sessions: {
    create: 'POST /sessions',
    authorize: 'POST /sessions/authorize body',
  },
  tenants: {
    retrieve: 'GET /tenants/self',
    update: 'PUT /tenants/self body',
    delete: 'DELETE /tenants/self',
    retrieveUsageReport: 'GET /tenants/self/reports/usage',
    createInvitation: 'POST /tenants/self/invitations body',
    resendInvitation: 'POST /tenants/self/invitations/:id/resend',
    listInvitations: 'GET /tenants/self/invitations query',
    retrieveInvitation: 'GET /tenants/self/invitations/:id',
    deleteInvitation: 'DELETE /tenants/self/invitations/:id',
    retrieveOwner: 'GET /tenants/self/owner',
    listMembers: 'GET /tenants/self/members query',
    updateMember: 'PUT /tenants/self/members/:id body',
    deleteMember: 'DELETE /tenants/self/members/:id',
  },
  proxies: { ...crud('/proxies'), patch: 'PATCH /proxies/:id body' },
  threeds: {
    createSession: 'POST /3ds/sessions body',
    getSessionById: 'GET /3ds/sessions/:id',
    authenticateSession: 'POST /3ds/sessions/:id/authenticate body',
    getChallengeResult: 'GET /3ds/sessions/:id/challenge-result',
  },
  reactorFormulas: crud('/reactor-formulas'),
};
const functions = {
  tokenize: 'POST /tokenize body raw',
  detokenize: 'POST /detokenize body raw',
};
const proxied = ['get', 'post', 'put', 'patch', 'delete'];

/** Members that are somebody's own: what is in them is not renamed. */
const verbatim = { tokens: ['data', 'metadata'], reactors: ['configuration'], proxies: ['configuration'] };

class BasisTheoryApiError extends Error {
  /** @param status -1: there is no answer */
  constructor(message, status, data) {
    super(message);
    this.name = 'BasisTheoryApiError';
    this.status = status;
    this.data = data;
  }
}

/** Letters after each other are words of their own, as the service's clients have always written them. */
function snakeCase(name) {
  const isCamel = !/[\s_.:-]/.test(name) && /[a-z][A-Z]|[A-Z][a-z]/.test(name);
  return joined(isCamel ? name.replace(/(?!^)[A-Z]/g, ' $&') : name, /[\W_]+/);
}

/** Names of filters: here an acronym is one word. */
const filterName = (name) =>
  joined(
    name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z])([A-Z][a-z])/g, '$1 $2'),
    /[^A-Za-z0-9]+/,
  );

const joined = (text, separator) =>
  text
    .toLowerCase()
    .split(separator)
    .filter((word) => word !== '')
    .join('_');

function camelCase(name) {
  const text = name.trim();
  if (text.length < 2) return text.toLowerCase();
  const words = text.replace(/([a-z])([A-Z])/g, '$1-$2').replace(/([A-Z])([A-Z][a-z])/g, '$1-$2');
  return words
    .replace(/^[ _.-]+/, '')
    .toLowerCase()
    .replace(/[ _.-]+(\w|$)/g, (_, first) => first.toUpperCase())
    .replace(/\d+\w/g, (number) => number.toUpperCase());
}

const isObject = (value) => typeof value === 'object' && value !== null && !(value instanceof Date);

/** With other names of members, at every depth; `kept` are members of the outermost object. */
function renamed(value, rename, kept = []) {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) =>
    kept.includes(name) ? [name, member] : [rename(name), renamed(member, rename)],
  );
  return Object.fromEntries(members);
}

function answered(body, kept) {
  const isList = isObject(body) && body.pagination !== undefined && Array.isArray(body.data);
  if (!isList || kept.length === 0) return renamed(body, camelCase, kept);
  return {
    data: body.data.map((item) => renamed(item, camelCase, kept)),
    pagination: renamed(body.pagination, camelCase),
  };
}

const encoded = (text) => encodeURIComponent(String(text).toWellFormed());

const isPlain = (value) => value === null || ['boolean', 'number', 'string'].includes(typeof value);

/** Filters: several of a name for an array, `metadata.color` for members of an object. */
function filters(query = {}) {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.map((item) => [filterName(name), item]);
    if (!isObject(value)) return [[filterName(name), value]];
    return Object.entries(value).map(([key, member]) => [`${name}.${key}`, member]);
  });
  return queryOf(pairs);
}

const queryOf = (pairs) =>
  pairs
    .filter(([, value]) => isPlain(value))
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&');

/** What a destination is sent keeps its names: `list[]=1&list[]=2&object[key]=3`. */
function parameters(value, name = '') {
  if (value instanceof Date) return [[name, value.toISOString()]];
  if (!isObject(value)) return value === null ? [] : [[name, value]];
  return Object.entries(value).flatMap(([key, member]) => {
    if (name === '') return parameters(member, key);
    return parameters(member, Array.isArray(value) && !isObject(member) ? `${name}[]` : `${name}[${key}]`);
  });
}

/** @param send has the host carry out a call: `send('bt', payload) -> Promise<{failed, payload}>` */
module.exports = function createBt(send) {
  async function request(method, path, { query = '', body, options, kept, raw, headers: more }) {
    const { apiKey, correlationId, idempotencyKey } = options ?? {};
    if (apiKey !== undefined) {
      throw new BasisTheoryApiError("req.bt acts for the reactor's application: it takes no apiKey.", -1);
    }
    const contentType = method === 'PATCH' && !raw ? 'application/merge-patch+json' : 'application/json';
    const headers = {
      ...(body === undefined ? {} : { 'Content-Type': contentType }),
      ...(correlationId ? { 'BT-TRACE-ID': String(correlationId) } : {}),
      ...(idempotencyKey ? { 'BT-IDEMPOTENCY-KEY': String(idempotencyKey) } : {}),
      ...more,
    };
    const sent = raw ? body : renamed(body, snakeCase, kept);
    const { failed, payload } = await send(
      'bt',
      JSON.stringify({ method, path, query, headers, body: sent }),
    );
    if (failed) throw new BasisTheoryApiError(payload, -1);
    const answer = JSON.parse(payload);
    if (answer.status === 0) throw new BasisTheoryApiError(String(answer.body), -1);
    const data = raw ? answer.body : answered(answer.body, kept);
    if (answer.status >= 200 && answer.status < 300) return { data, headers: answer.headers };
    throw new BasisTheoryApiError(`Request failed with status code ${answer.status}`, answer.status, data);
  }

  function callOf(text, kept = []) {
    const [method, pattern, ...takes] = text.split(' ');
    return async (...given) => {
      const path = pattern.replace(/:(\w+)/g, (_, name) => identified(name, given.shift()));
      const body = takes.includes('body') ? given.shift() : undefined;
      const query = takes.includes('query') ? filters(given.shift()) : '';
      const raw = takes.includes('raw');
      const { data } = await request(method, path, { query, body, options: given[0], kept, raw });
      return method === 'DELETE' ? undefined : data;
    };
  }

  async function proxy(method, options = {}) {
    const { path = '', body, headers, includeResponseHeaders } = options;
    // Of what is encoded already, nothing is encoded twice.
    const [to, own] = encodeURI(path.toWellFormed()).replaceAll('%25', '%').split('#')[0].split('?');
    const query = [own, queryOf(parameters(options.query ?? {}))].filter(Boolean).join('&');
    const sent = ['get', 'delete'].includes(method) ? undefined : (body ?? undefined);
    const under = to === '' || to === '/' ? '/proxy' : `/proxy/${to.replace(/^\//, '')}`;
    const call = { query, body: sent, options, raw: true, headers };
    const answer = await request(method.toUpperCase(), under, call);
    return includeResponseHeaders && method === 'post' ? answer : answer.data;
  }

  const bt = {};
  for (const [name, text] of Object.entries(functions)) bt[name] = callOf(text);
  for (const [namespace, methods] of Object.entries(calls)) {
    const entries = Object.entries(methods).map(([name, text]) => [name, callOf(text, verbatim[namespace])]);
    bt[namespace] = Object.fromEntries(entries);
  }
  bt.proxy = Object.fromEntries(proxied.map((method) => [method, (options) => proxy(method, options)]));
  return bt;
};

/** Without it, the path would be that of another resource. */
function identified(name, value) {
  const text = String(value ?? '');
  if (text === '') throw new TypeError(`${name} must be given`);
  return encoded(text);
}

Object.assign(module.exports, { BasisTheoryApiError, calls, functions, proxied });
