'use strict';

const { Buffer } = require('buffer');
const EventEmitter = require('events');
const { Writable } = require('stream');
const outside = require('holdfast:outside');
const { IncomingMessage } = require('./incomingMessage.cjs');
const { authorizationOf, urlOf } = require('./options.cjs');
const { refuseUnavailable, tlsOf } = require('./tlsOptions.cjs');

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** What libraries do with the connection; there is none. */
function makeSocket(request) {
  const socket = new EventEmitter();
  for (const name of ['setKeepAlive', 'setNoDelay', 'setTimeout', 'ref', 'unref', 'end'])
    socket[name] = () => socket;
  return Object.assign(socket, {
    destroyed: false,
    writable: true,
    readable: true,
    encrypted: true,
    destroy(error) {
      request.destroy(error);
      return socket;
    },
  });
}

/** A call, which begins when its body has ended. */
class ClientRequest extends Writable {
  aborted = false;
  finished = false;
  reusedSocket = false;
  maxHeadersCount = null;
  res = null;
  #headers = new Map();
  #chunks = [];
  #url;
  #tls;
  #pending;
  #timeout;
  #timer;

  constructor(options, defaultProtocol, onResponse) {
    super({ autoDestroy: false, emitClose: false });
    refuseUnavailable(options);
    refuseUnavailable(options.agent?.options ?? {});
    this.#tls = tlsOf(options);
    this.#url = urlOf(options, defaultProtocol);
    this.method = String(options.method ?? 'GET').toUpperCase();
    this.path = options.path ?? '/';
    this.host = options.hostname ?? options.host ?? 'localhost';
    this.protocol = options.protocol ?? defaultProtocol;
    this.agent = options.agent;
    if (Array.isArray(options.headers)) {
      for (let i = 0; i + 1 < options.headers.length; i += 2)
        this.setHeader(options.headers[i], options.headers[i + 1]);
    } else {
      for (const [name, value] of Object.entries(options.headers ?? {})) {
        if (value !== undefined) this.setHeader(name, value);
      }
    }
    if (options.auth && !this.hasHeader('authorization')) {
      this.setHeader('Authorization', authorizationOf(options.auth));
    }
    if (onResponse) this.once('response', onResponse);
    this.#watch(options.signal);
    this.socket = this.connection = makeSocket(this);
    process.nextTick(() => {
      if (!this.destroyed) this.emit('socket', this.socket);
    });
    if (options.timeout) this.setTimeout(options.timeout);
  }

  setHeader(name, value) {
    if (!token.test(name))
      throw invalid('ERR_INVALID_HTTP_TOKEN', `Header name must be a valid HTTP token ["${name}"]`);
    for (const one of [value].flat()) {
      if (/[\0\r\n]/.test(String(one)))
        throw invalid('ERR_INVALID_CHAR', `Invalid character in header content ["${name}"]`);
    }
    this.#headers.set(name.toLowerCase(), [name, value]);
    return this;
  }

  getHeader(name) {
    return this.#headers.get(name.toLowerCase())?.[1];
  }

  hasHeader(name) {
    return this.#headers.has(name.toLowerCase());
  }

  removeHeader(name) {
    this.#headers.delete(name.toLowerCase());
  }

  getHeaderNames() {
    return [...this.#headers.keys()];
  }

  getRawHeaderNames() {
    return [...this.#headers.values()].map(([name]) => name);
  }

  getHeaders() {
    return Object.fromEntries([...this.#headers].map(([key, [, value]]) => [key, value]));
  }

  flushHeaders() {}

  setNoDelay() {}

  setSocketKeepAlive() {}

  setTimeout(milliseconds, callback) {
    if (callback) this.once('timeout', callback);
    this.#timeout = Number(milliseconds);
    clearTimeout(this.#timer);
    if (this.#timeout > 0 && !this.res) this.#timer = setTimeout(() => this.emit('timeout'), this.#timeout);
    return this;
  }

  abort() {
    if (this.aborted) return;
    this.aborted = true;
    process.nextTick(() => this.emit('abort'));
    this.destroy();
  }

  _write(chunk, encoding, done) {
    this.#chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk));
    done();
  }

  _final(done) {
    this.finished = true;
    const body = Buffer.concat(this.#chunks);
    this.#chunks = [];
    const request = { url: this.#url, method: this.method, headers: this.#sentHeaders() };
    if (body.length > 0) request.body = body.toString('base64');
    if (this.#tls !== undefined) request.tls = this.#tls;
    this.#pending = outside.begin('fetch', JSON.stringify(request), (failed, payload) => {
      this.#pending = undefined;
      const answer = JSON.parse(payload);
      if (failed) this.destroy(Object.assign(new Error(answer.message), { code: answer.code }));
      else this.#receive(answer);
    });
    done();
  }

  _destroy(error, done) {
    clearTimeout(this.#timer);
    this.socket.destroyed = true;
    if (this.#pending !== undefined) outside.cancel(this.#pending);
    this.#pending = undefined;
    const { res } = this;
    if (res && !res.complete) {
      res.aborted = true;
      res.emit('aborted');
      res.destroy(error);
    }
    const hungUp = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    done(error ?? (res ? null : hungUp));
    process.nextTick(() => this.emit('close'));
  }

  #sentHeaders() {
    return [...this.#headers.values()]
      .filter(([name]) => !/^(host|content-length|connection|transfer-encoding)$/i.test(name))
      .flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  }

  #receive(answer) {
    clearTimeout(this.#timer);
    const response = new IncomingMessage(answer, this.socket);
    this.res = response;
    response.req = this;
    response.once('end', () => process.nextTick(() => this.emit('close')));
    // An answer that nobody takes is thrown away.
    if (!this.emit('response', response)) response.resume();
  }

  #watch(signal) {
    if (!signal) return;
    const abort = () => {
      const error = Object.assign(new Error('The operation was aborted'), { code: 'ABORT_ERR' });
      error.name = 'AbortError';
      this.destroy(error);
    };
    if (signal.aborted) process.nextTick(abort);
    else signal.addEventListener('abort', abort);
  }
}

function invalid(code, message) {
  return Object.assign(new TypeError(message), { code });
}

module.exports = { ClientRequest };
