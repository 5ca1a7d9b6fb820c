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
const ours = ['cache-control', 'ratelimit', 'ratelimit-policy', 'x-content-type-options'];

const reserved: ReadonlySet<string> = new Set([...ofTheHost, ...ours]);
/** Headers of the service, of this version and of others, and which pages may read an answer. */
const prefixes = ['access-control-', 'bt-', 'holdfast-'];

/** What no tenant sets in an answer of this service. Source: decision 33. */
export function isReservedInAnswers(name: string): boolean {
  const lower = name.toLowerCase();
  return reserved.has(lower) || prefixes.some((prefix) => lower.startsWith(prefix));
}
