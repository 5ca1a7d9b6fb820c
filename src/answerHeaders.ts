/**
 * They speak for all that the answering host serves, and that is this service: neither code nor a destination of a
 * tenant decides about it.
 */
const ofTheHost = [
  'alt-svc',
  'clear-site-data',
  'content-security-policy',
  'nel',
  'public-key-pins',
  'report-to',
  'reporting-endpoints',
  'service-worker-allowed',
  'strict-transport-security',
];

/** The service says these itself. */
const ours = [
  'bt-proxy-destination-status',
  'bt-trace-id',
  'cache-control',
  'ratelimit',
  'ratelimit-policy',
  'x-content-type-options',
];

/** What no tenant sets in an answer of this service, in lower case. Source: decision 33. */
export const reservedInAnswers: ReadonlySet<string> = new Set([...ofTheHost, ...ours]);
