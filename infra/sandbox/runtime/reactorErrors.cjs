'use strict';

const noDetails = 'The reactor gave no details.';

const isObject = (value) => typeof value === 'object' && value !== null;

/** JSON with a word in the place of what contains itself. */
function stringify(value) {
  const parents = [];
  return JSON.stringify(value, function (_name, member) {
    if (!isObject(member)) return member;
    while (parents.length > 0 && parents[parents.length - 1] !== this) parents.pop();
    if (parents.includes(member)) return '[Circular]';
    parents.push(member);
    return member;
  });
}

function textOf(element) {
  if (element === null || element === undefined) return noDetails;
  return isObject(element) ? stringify(element) : String(element);
}

const textsOf = (elements) => Array.from(elements, textOf);

function textsOfMember(value) {
  if (Array.isArray(value)) return textsOf(value);
  if (isObject(value)) return [stringify(value)];
  return [value ? String(value) : noDetails];
}

function textOfError(error) {
  if (error.message) return String(error.message);
  return error.name && error.name !== 'Error' ? String(error.name) : noDetails;
}

function convert(details) {
  if (!details) return { error: [noDetails] };
  if (Array.isArray(details)) return { error: textsOf(details) };
  if (details instanceof Error) return { error: [textOfError(details)] };
  if (!isObject(details)) return { error: [String(details)] };
  return Object.fromEntries(Object.entries(details).map(([name, value]) => [name, textsOfMember(value)]));
}

function errorsOf(details) {
  try {
    return convert(details);
  } catch {
    return { error: [noDetails] };
  }
}

class BasisTheoryReactorError extends Error {
  constructor({ message, status, errors } = {}) {
    super(message);
    own(this, { name: 'BasisTheoryReactorError', message: message ?? '', status, errors });
  }

  toRFC7807() {
    return { detail: this.message, status: this.status, errors: this.errors };
  }
}

/** The service goes by these members, and not by the class: it sees only what can be written as JSON. */
function own(error, members) {
  for (const [name, value] of Object.entries(members)) {
    const enumerable = name !== 'name' && name !== 'message';
    Object.defineProperty(error, name, { value, enumerable, writable: true, configurable: true });
  }
}

function define(name, status, message) {
  const kind = class extends BasisTheoryReactorError {
    constructor(details) {
      super({ message, status, errors: errorsOf(details) });
      own(this, { name });
    }
  };
  Object.defineProperty(kind, 'name', { value: name });
  return kind;
}

class CustomHttpResponseError extends Error {
  constructor({ status, headers = {}, body = {} } = {}) {
    if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 599) {
      throw new Error('status is not an integer from 100 to 599');
    }
    super('Custom HTTP response');
    own(this, { name: 'CustomHttpResponseError', status, headers, body });
  }
}

module.exports = {
  BasisTheoryReactorError,
  CustomHttpResponseError,
  AuthenticationError: define('AuthenticationError', 401, 'Authentication Failed'),
  AuthorizationError: define('AuthorizationError', 403, 'Forbidden'),
  BadRequestError: define('BadRequestError', 400, 'Bad Request'),
  InvalidPaymentMethodError: define('InvalidPaymentMethodError', 402, 'Invalid Payment Method'),
  InvalidReactorConfigurationError: define(
    'InvalidReactorConfigurationError',
    400,
    'Invalid Reactor Configuration',
  ),
  RateLimitError: define('RateLimitError', 429, 'Rate Limit Exceeded'),
  ReactorRuntimeError: define('ReactorRuntimeError', 500, 'Reactor Runtime Error'),
  ServiceUnavailableError: define('ServiceUnavailableError', 503, 'Service Unavailable'),
};
