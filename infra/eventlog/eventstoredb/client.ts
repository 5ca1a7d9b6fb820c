import { readFileSync } from 'node:fs';
import { EventStoreDBClient, FOLLOWER, LEADER, RANDOM, READ_ONLY_REPLICA } from '@eventstore/db-client';
import type {
  DNSClusterOptions,
  GossipClusterOptions,
  NodePreference,
  SingleNodeOptions,
} from '@eventstore/db-client';
import { fileSystemReason } from '#infra/files/fileSystemReason.ts';
import type { EventStoreUrl } from '#src/eventStoreUrl.ts';
import { errno } from '#src/errno.ts';
import { SettingError } from '#src/settingValues.ts';

/** A hung node is noticed after both together, in milliseconds. */
const keepAliveInterval = 2_500;
const keepAliveTimeout = 2_500;
/** A seed that hangs may hold up discovery for so long, in seconds. */
const gossipTimeout = 1;
const preferences: readonly NodePreference[] = [LEADER, FOLLOWER, RANDOM, READ_ONLY_REPLICA];

type Settings = DNSClusterOptions | GossipClusterOptions | SingleNodeOptions;
type Credentials = ConstructorParameters<typeof EventStoreDBClient>[1];
type User = ConstructorParameters<typeof EventStoreDBClient>[2];

/** The client, but for one promise of it that nobody awaits. */
export class Client extends EventStoreDBClient {
  constructor(settings: Settings, credentials: Credentials, user: User) {
    // The package declares a constructor for each kind of settings.
    super(settings as SingleNodeOptions, credentials, user);
    const handleError = this.handleError;
    // The client calls this without awaiting it, and it waits for the channel: when no node is discovered, it
    // rejects, and the process would end. Whoever made the call is told of it by their own promise.
    this.handleError = async (client, error) => {
      try {
        await handleError(client, error);
      } catch (failure) {
        if (!isDiscoveryFailure(failure)) throw failure;
      }
    };
  }

  /** Discovers a node where that is to be done. */
  async connected(): Promise<void> {
    await this.getChannel();
  }
}

function isDiscoveryFailure(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Failed to discover after');
}

/** @throws SettingError when a file of it cannot be read */
export function createClient(url: EventStoreUrl): Client {
  const { options } = url;
  const certificates = {
    ...fileOption(options, 'tlscafile', 'rootCertificate'),
    ...fileOption(options, 'usercertfile', 'userCertFile'),
    ...fileOption(options, 'userkeyfile', 'userKeyFile'),
  };
  const settings = {
    ...addressesOf(url),
    keepAliveInterval: numberOption(options, 'keepaliveinterval', keepAliveInterval),
    keepAliveTimeout: numberOption(options, 'keepalivetimeout', keepAliveTimeout),
    ...(options.has('connectionname') ? { connectionName: options.get('connectionname') ?? '' } : {}),
  };
  return withoutAdvice(
    () => new Client(settings, url.tls ? certificates : { insecure: true }, url.credentials),
  );
}

function addressesOf({ hosts, discover, options }: EventStoreUrl): Settings {
  const [first] = hosts;
  if (first === undefined) throw new SettingError('EVENTSTOREDB_URL must name a host.');
  if (hosts.length === 1 && !discover) return { endpoint: first };
  const preference = options.get('nodepreference')?.toLowerCase().replaceAll(/[_-]/g, '');
  const how = {
    nodePreference: preferences.find((one) => one.replaceAll('_', '') === preference) ?? LEADER,
    gossipTimeout: numberOption(options, 'gossiptimeout', gossipTimeout),
    discoveryInterval: numberOption(options, 'discoveryinterval', 100),
    maxDiscoverAttempts: numberOption(options, 'maxdiscoverattempts', 10),
  };
  return discover ? { discover: first, ...how } : { endpoints: hosts, ...how };
}

function numberOption(options: EventStoreUrl['options'], key: string, fallback: number): number {
  const text = options.get(key);
  if (text === undefined) return fallback;
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw new SettingError(`EVENTSTOREDB_URL must have a whole number as its option ${key}.`);
}

function fileOption<Key extends string>(
  options: EventStoreUrl['options'],
  key: string,
  as: Key,
): Partial<Record<Key, Buffer>> {
  const path = options.get(key);
  if (path === undefined) return {};
  try {
    return { [as]: readFileSync(path) } as Record<Key, Buffer>;
  } catch (error) {
    const missing = errno(error) === 'ENOENT' ? 'there is no such file' : undefined;
    const reason = missing ?? fileSystemReason(error) ?? 'it cannot be read';
    throw new SettingError(`EVENTSTOREDB_URL names the file ${path}: ${reason}.`, { cause: error });
  }
}

/** The client advises against every interval below 10 s, on the standard error output, whenever it is made. */
function withoutAdvice<Made>(make: () => Made): Made {
  /* eslint-disable no-console -- the advice is the client's, and its only way to be silent */
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return make();
  } finally {
    console.warn = warn;
  }
  /* eslint-enable no-console */
}
