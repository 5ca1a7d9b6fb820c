'use strict';

const EventEmitter = require('events');
const constructible = require('../constructible.cjs');
const { ClientRequest } = require('./clientRequest.cjs');
const { IncomingMessage } = require('./incomingMessage.cjs');
const { readArguments } = require('./options.cjs');
const STATUS_CODES = require('./statusCodes.cjs');

const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** What agents steer, connections, is decided outside. */
class BaseAgent extends EventEmitter {
  maxSockets = Infinity;
  sockets = {};
  requests = {};
  freeSockets = {};

  constructor(options = {}) {
    super();
    this.options = { ...options };
    this.keepAlive = Boolean(options.keepAlive);
  }

  destroy() {}
}

function unavailable() {
  throw Object.assign(new Error('A reactor cannot listen'), { code: 'ERR_FEATURE_UNAVAILABLE' });
}

module.exports = function makeProtocol(protocol, defaultPort) {
  class ProtocolAgent extends BaseAgent {
    protocol = protocol;
    defaultPort = defaultPort;
  }
  /** Node makes one with and without `new`. */
  function Agent(options) {
    return Reflect.construct(ProtocolAgent, [options], new.target ?? Agent);
  }
  Agent.prototype = ProtocolAgent.prototype;
  Agent.prototype.constructor = Agent;
  const request = (...args) => {
    const [options, onResponse] = readArguments(...args);
    return new ClientRequest(options, protocol, onResponse);
  };
  const get = (...args) => {
    const sent = request(...args);
    sent.end();
    return sent;
  };
  return constructible({
    Agent,
    ClientRequest,
    IncomingMessage,
    METHODS,
    STATUS_CODES,
    createServer: unavailable,
    get,
    globalAgent: new ProtocolAgent(),
    maxHeaderSize: 16_384,
    request,
  });
};
