import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import {
  SettingError,
  duration,
  httpUrl,
  limitedDuration,
  networks,
  oneOf,
  outboundException,
  rateLimits,
  wholeNumber,
  wrong,
} from '#src/settingValues.ts';
import { parseEventStoreUrl } from '#src/eventStoreUrl.ts';
import { databaseSettings, loginSettings } from '#src/databaseSettings.ts';
import { setting } from '#src/setting.ts';
import { listenSettings } from '#src/listenSettings.ts';
import { updaterSettings } from '#src/updaterSettings.ts';

export type Role = 'all' | 'api' | 'worker';

/** Every setting there is: environment variables, their defaults and what they mean. */
export const settings = {
  ...listenSettings,
  dataDirectory: setting(
    'HOLDFAST_DATA_DIR',
    '.holdfast',
    'Directory of the embedded PostgreSQL, the root key and uploaded files; a relative one counts from where a command runs.',
    (text) => resolve(text ?? '.holdfast'),
  ),
  ...databaseSettings,
  eventStoreDbUrl: setting(
    'EVENTSTOREDB_URL',
    'unset: event log in PostgreSQL',
    'An EventStoreDB or KurrentDB to keep the event log in: `esdb://host:2113?tls=false`, several nodes as `esdb://user:password@a:2113,b:2113`.',
    (text) => {
      if (text !== undefined) parseEventStoreUrl(text);
      return text;
    },
  ),
  streamPrefix: setting(
    'HOLDFAST_STREAM_PREFIX',
    'empty',
    "Put before the name of every stream, for an event log that others share: ends in '.', '_' or '-'.",
    (text) => {
      if (text === undefined) return '';
      if (/^[a-z0-9_][a-z0-9_.-]{0,49}$/.test(text)) return text;
      throw wrong('HOLDFAST_STREAM_PREFIX', text, "1 to 50 lower-case letters, digits, '_', '.' and '-'");
    },
  ),
  rootKey: setting(
    'HOLDFAST_ROOT_KEY',
    'unset: `<data dir>/root.key`, made at the first start',
    'The root key (32 bytes, base64) for machines that get their secrets by environment; older keys may follow, after commas.',
    (text) => {
      if (text === undefined) return undefined;
      if (text.split(',').every((key) => Buffer.from(key, 'base64').length === 32)) return text;
      throw new SettingError(
        'HOLDFAST_ROOT_KEY must be 32 bytes in base64; older keys may follow, after commas.',
      );
    },
  ),
  environment: setting(
    'HOLDFAST_ENVIRONMENT',
    'dev',
    'Name of this installation: part of every key, and bound into every ciphertext, so that what one environment wrote does not open in another. Fixed by the first start.',
    (text) => {
      if (text === undefined) return 'dev';
      if (/^[A-Za-z0-9]{1,32}$/.test(text)) return text;
      throw wrong('HOLDFAST_ENVIRONMENT', text, '1 to 32 letters and digits');
    },
  ),
  binTable: setting(
    'HOLDFAST_BIN_TABLE',
    'a table of test cards',
    'CSV file of BINs that `bin_details` are looked up in: `bin,card_brand,type,bank_name,country_alpha2,…`; tenants turn it on by their setting `bin_details`.',
    (text) => text,
  ),
  quarantine: setting(
    'HOLDFAST_QUARANTINE',
    '7d',
    'How long a payload that no event refers to is kept before it is deleted: `1d` to `90d`.',
    (text) => limitedDuration('HOLDFAST_QUARANTINE', text, 7 * 86_400_000, 86_400_000, 90 * 86_400_000),
  ),
  orphanShare: setting(
    'HOLDFAST_ORPHAN_SHARE',
    '20',
    'Percent of all payloads. When more of them have no event, none is deleted, and an alarm says so: most likely the event log has lost events.',
    (text) => wholeNumber('HOLDFAST_ORPHAN_SHARE', text, 20, 1, 100),
  ),
  auditAnchors: setting(
    'HOLDFAST_AUDIT_ANCHORS',
    '`<data dir>/audit`',
    'Directory of the signed heads of the audit log, by which `audit verify` finds out what was cut off or rewritten. Better on a mount that the administrators of the database cannot write to; services that share a database share it too.',
    (text) => (text === undefined ? undefined : resolve(text)),
  ),
  operator: setting(
    'HOLDFAST_OPERATOR',
    "unset: the system's user",
    'Who runs a command of the command line: entries of the audit log, and events, name that.',
    (text) => {
      if (text === undefined || /^[^\p{C}]{1,100}$/u.test(text)) return text;
      throw new SettingError('HOLDFAST_OPERATOR must be 1 to 100 characters that can be seen.');
    },
  ),
  role: setting(
    'HOLDFAST_ROLE',
    'all',
    '`api` serves requests only, `worker` does everything else, `all` does both. One of its own needs `DATABASE_URL`.',
    (text): Role => oneOf('HOLDFAST_ROLE', text, 'all', ['all', 'api', 'worker']),
  ),
  processes: setting(
    'HOLDFAST_PROCESSES',
    '1',
    'API processes that share the port: a number, or `auto` for as many as there are cores.',
    (text) => (text === 'auto' ? availableParallelism() : wholeNumber('HOLDFAST_PROCESSES', text, 1, 1, 256)),
  ),
  connections: setting(
    'HOLDFAST_CONNECTIONS',
    '10000',
    'Connections that an API process keeps. One more closes the one that has waited longest for its client.',
    (text) => wholeNumber('HOLDFAST_CONNECTIONS', text, 10_000, 10, 1_000_000),
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    '`debug` (a line a request), `info`, `warn`, `error` or `silent`.',
    (text) => oneOf('LOG_LEVEL', text, 'info', ['debug', 'info', 'warn', 'error', 'silent']),
  ),
  rateLimits: setting(
    'HOLDFAST_RATE_LIMITS',
    'on',
    '`on`, `off`, or figures that are not the usual ones, of one client in 10 seconds: `global=1000,portal=600,token_search=50,token_list=100,token_create=200` requests, `public_tokens=200`, `private_tokens` (unlimited) tokens.',
    (text) => rateLimits('HOLDFAST_RATE_LIMITS', text),
  ),
  rateLimitStore: setting(
    'HOLDFAST_RATE_LIMIT_STORE',
    '`memory` for one API process, else `postgres`',
    'Where requests are counted: each process for itself in `memory`, or all that share the database together in `postgres`.',
    (text) =>
      text === undefined
        ? undefined
        : oneOf('HOLDFAST_RATE_LIMIT_STORE', text, 'memory', ['memory', 'postgres']),
  ),
  trustedProxies: setting(
    'HOLDFAST_TRUSTED_PROXIES',
    'empty',
    'Comma-separated addresses and networks of the proxies in front of the service (`10.0.0.0/8,2001:db8::/32`). From those, and nobody else, `X-Forwarded-For` says where a client is.',
    (text) => networks('HOLDFAST_TRUSTED_PROXIES', text),
  ),
  outboundAllow: setting(
    'HOLDFAST_OUTBOUND_ALLOW',
    'empty',
    'Comma-separated `host[:port]` or CIDR that tenant-steered calls may reach although the guard would refuse them, also without https. An entry with a port opens only that port.',
    (text) => (text === undefined ? [] : text.split(',').map((entry) => outboundException(entry.trim()))),
  ),
  reactorTimeout: setting(
    'HOLDFAST_REACTOR_TIMEOUT',
    '30s',
    'How long the code of a reactor may run while the caller waits: `500ms` to `5m`.',
    (text) => limitedDuration('HOLDFAST_REACTOR_TIMEOUT', text, 30_000, 100, 300_000),
  ),
  reactorAsyncTimeout: setting(
    'HOLDFAST_REACTOR_ASYNC_TIMEOUT',
    '5m',
    'How long it may run when it was invoked asynchronously: at most `15m`.',
    (text) => limitedDuration('HOLDFAST_REACTOR_ASYNC_TIMEOUT', text, 300_000, 100, 900_000),
  ),
  reactorConcurrency: setting(
    'HOLDFAST_REACTOR_CONCURRENCY',
    '8',
    'Invocations of reactors that run at a time for one tenant; more wait up to two seconds, then get 429. API processes share it.',
    (text) => wholeNumber('HOLDFAST_REACTOR_CONCURRENCY', text, 8, 1, 1_000),
  ),
  reactorMachineConcurrency: setting(
    'HOLDFAST_REACTOR_MACHINE_CONCURRENCY',
    '32',
    'The same for all tenants together; a tenant with none running is let in all the same. API processes share it.',
    (text) => wholeNumber('HOLDFAST_REACTOR_MACHINE_CONCURRENCY', text, 32, 1, 10_000),
  ),
  reactorHosts: setting(
    'HOLDFAST_REACTOR_HOSTS',
    '32',
    'Processes for the code of reactors, each of one tenant, some 60 MB when it does nothing. API processes share them.',
    (text) => wholeNumber('HOLDFAST_REACTOR_HOSTS', text, 32, 2, 1_000),
  ),
  reactorMemory: setting(
    'HOLDFAST_REACTOR_MEMORY',
    '128',
    'MB of heap that the code of one invocation may fill.',
    (text) => wholeNumber('HOLDFAST_REACTOR_MEMORY', text, 128, 16, 2_048),
  ),
  reactorContexts: setting(
    'HOLDFAST_REACTOR_CONTEXTS',
    'reused',
    '`reused`: an invocation may find what earlier ones of the same reactor left in its variables, as on other platforms; `fresh`: each one starts anew, which costs some milliseconds.',
    (text) => oneOf('HOLDFAST_REACTOR_CONTEXTS', text, 'reused', ['reused', 'fresh']),
  ),
  unconfinedReactors: setting(
    'HOLDFAST_UNCONFINED_REACTORS',
    'refuse',
    'Where nothing keeps native code in a host from the service (docs/reactors.md), code of tenants does not run when `NODE_ENV` is `production`; `accept` takes the risk.',
    (text) => oneOf('HOLDFAST_UNCONFINED_REACTORS', text, 'refuse', ['refuse', 'accept']),
  ),
  proxyTimeout: setting(
    'HOLDFAST_PROXY_TIMEOUT',
    '25s',
    'How long the destination of a proxy may take to answer, before 408: `100ms` to `60s`.',
    (text) => limitedDuration('HOLDFAST_PROXY_TIMEOUT', text, 25_000, 100, 60_000),
  ),
  sandboxLatency: setting(
    'HOLDFAST_SANDBOX_LATENCY',
    '0',
    'How long the sandbox, the payment provider that moves no money, takes for each call: at most `60s`.',
    (text) => limitedDuration('HOLDFAST_SANDBOX_LATENCY', text, 0, 0, 60_000),
  ),
  stripeUrl: setting(
    'HOLDFAST_STRIPE_URL',
    "Stripe's own",
    'Where connections to Stripe are made to instead. A place within the network has to be in `HOLDFAST_OUTBOUND_ALLOW` too.',
    (text) => (text === undefined ? undefined : httpUrl('HOLDFAST_STRIPE_URL', text)),
  ),
  adyenUrl: setting('HOLDFAST_ADYEN_URL', "Adyen's own", 'The same for Adyen.', (text) =>
    text === undefined ? undefined : httpUrl('HOLDFAST_ADYEN_URL', text),
  ),
  ...updaterSettings,
  clockOffset: setting(
    'HOLDFAST_CLOCK_OFFSET',
    '0',
    'Shifts the clock, for tests: `61m`, `-2d`, `90s`. Refused when `NODE_ENV` is `production`.',
    (text) => duration('HOLDFAST_CLOCK_OFFSET', text),
  ),
} as const;

type Settings = typeof settings;

/** Of these, neither means anything without the other. */
const inPairs = [
  ['s3AccessKeyId', 's3SecretAccessKey'],
  ['cardNetworksUrl', 'cardNetworksKey'],
] as const;
type Values = { [Name in keyof Settings]: ReturnType<Settings[Name]['read']> };

export type Config = Omit<Values, 'publicUrl'> & { publicUrl: string; production: boolean };

/**
 * Reads every setting from the environment.
 * @throws SettingError for a wrong value, or values that do not go together
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const entries = Object.entries(settings).map(([name, { name: variable, read }]) => {
    const text = environment[variable];
    return [name, read(text === undefined || text === '' ? undefined : text)];
  });
  const values = Object.fromEntries(entries) as Values;
  const production = environment['NODE_ENV'] === 'production';
  if (production && values.clockOffset !== 0) {
    throw new SettingError('HOLDFAST_CLOCK_OFFSET must not be set when NODE_ENV is production.');
  }
  if (values.role !== 'all' && values.databaseUrl === undefined) {
    throw new SettingError(
      `HOLDFAST_ROLE=${values.role} needs DATABASE_URL: the embedded PostgreSQL serves one process tree.`,
    );
  }
  for (const name of Object.values(loginSettings)) {
    if (values[name] !== undefined && values.databaseUrl === undefined) {
      throw new SettingError(
        `${settings[name].name} needs DATABASE_URL: the embedded PostgreSQL has logins of its own.`,
      );
    }
  }
  for (const [one, other] of inPairs) {
    if ((values[one] === undefined) !== (values[other] === undefined)) {
      throw new SettingError(`${settings[one].name} and ${settings[other].name} go together.`);
    }
  }
  return { ...values, publicUrl: values.publicUrl ?? `http://localhost:${values.port}`, production };
}

/** Variables that look like settings and are none: most likely a slip of the pen. */
export function unknownSettings(environment: Record<string, string | undefined>): string[] {
  const known = new Set<string>(Object.values(settings).map(({ name }) => name));
  return Object.keys(environment).filter((name) => name.startsWith('HOLDFAST_') && !known.has(name));
}
