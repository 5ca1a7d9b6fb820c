'use strict';

const { Buffer } = require('buffer');
const { Readable } = require('stream');
const statusCodes = require('./statusCodes.cjs');

const chunkSize = 65_536;
/** Of these the first counts when there are several, as in Node. */
const single = new Set([
  'content-type',
  'content-length',
  'user-agent',
  'location',
  'etag',
  'expires',
  'server',
]);

/** An answer, whose body is here already. */
class IncomingMessage extends Readable {
  httpVersion = '1.1';
  httpVersionMajor = 1;
  httpVersionMinor = 1;
  headers = {};
  rawHeaders = [];
  trailers = {};
  rawTrailers = [];
  aborted = false;
  complete = false;
  #body;
  #sent = 0;

  constructor(answer, socket) {
    super();
    this.socket = this.connection = socket;
    this.statusCode = answer.status;
    this.statusMessage = statusCodes[answer.status] ?? '';
    this.#body = Buffer.from(answer.body ?? '', 'base64');
    for (const [name, value] of answer.headers) this.#addHeader(name, String(value));
  }

  #addHeader(name, value) {
    this.rawHeaders.push(name, value);
    const key = name.toLowerCase();
    if (key === 'set-cookie') (this.headers[key] ??= []).push(value);
    else if (!Object.hasOwn(this.headers, key)) this.headers[key] = value;
    else if (!single.has(key)) this.headers[key] += `${key === 'cookie' ? ';' : ','} ${value}`;
  }

  _read() {
    if (this.#sent >= this.#body.length) {
      this.complete = true;
      this.push(null);
      return;
    }
    const chunk = this.#body.slice(this.#sent, this.#sent + chunkSize);
    this.#sent += chunk.length;
    this.push(chunk);
  }

  setTimeout() {
    return this;
  }
}

module.exports = { IncomingMessage };
