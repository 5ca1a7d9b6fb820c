import { SettingError } from '#src/settingValues.ts';

/** What a connection string of an event store says. */
export type EventStoreUrl = {
  /** At least one. */
  hosts: { address: string; port: number }[];
  /** Whether the first host is a name that stands for all nodes. */
  discover: boolean;
  credentials: { username: string; password: string } | undefined;
  tls: boolean;
  /** As they stand there, by their names in small letters. */
  options: ReadonlyMap<string, string>;
};

const name = 'EVENTSTOREDB_URL';
const standardPort = 2_113;
const schemes = new Map([
  ['esdb', false],
  ['esdb+discover', true],
  ['kurrentdb', false],
  ['kurrentdb+discover', true],
]);

/**
 * Reads a connection string as operators paste it: one host or a list, each with its port or none, percent signs in
 * the password encoded or not.
 * @throws SettingError a sentence that never repeats the password
 */
export function parseEventStoreUrl(text: string): EventStoreUrl {
  const [, scheme = '', rest = ''] = /^([^:/]+):\/\/(.*)$/s.exec(text.trim()) ?? [];
  const discover = schemes.get(scheme.toLowerCase());
  if (discover === undefined) {
    const right = [...schemes.keys()].map((one) => `${one}://`).join(', ');
    throw new SettingError(`${name} must start with one of ${right}.`);
  }
  const at = rest.lastIndexOf('@');
  const credentials = at < 0 ? undefined : credentialsOf(rest.slice(0, at));
  const [place = '', query = ''] = rest.slice(at + 1).split('?', 2);
  const hosts = withoutTrailingSlashes(place);
  const options = optionsOf(query);
  const tls = options.get('tls')?.toLowerCase() !== 'false';
  if (options.get('tlsverifycert')?.toLowerCase() === 'false') {
    throw new SettingError(
      `${name} says tlsVerifyCert=false, which has no effect: name the file of the server's CA as tlsCAFile instead.`,
    );
  }
  if (tls && credentials === undefined && !options.has('usercertfile')) {
    throw new SettingError(
      `${name} must name a user and password (esdb://user:password@host), or say tls=false.`,
    );
  }
  return { hosts: hosts.split(',').map(hostOf), discover, credentials, tls, options };
}

function credentialsOf(text: string): EventStoreUrl['credentials'] {
  const colon = text.indexOf(':');
  if (colon <= 0) throw new SettingError(`${name} must have user:password before its '@'.`);
  return { username: decoded(text.slice(0, colon)), password: decoded(text.slice(colon + 1)) };
}

/** A percent sign that begins no code stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function hostOf(text: string): { address: string; port: number } {
  const [, address, port] = /^([^\s:[\]]+|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const number = port === undefined ? standardPort : Number(port);
  if (address === undefined || number < 1 || number > 65_535) {
    throw new SettingError(`${name} must name its hosts as host:port, several with commas between them.`);
  }
  return { address, port: number };
}

function optionsOf(query: string): Map<string, string> {
  const entries = query.split('&').filter((entry) => entry !== '');
  return new Map(
    entries.map((entry) => {
      const [key = '', value = ''] = entry.split('=', 2);
      if (value === '') {
        throw new SettingError(`${name} must end in options of the form ?key=value&key=value.`);
      }
      return [key.toLowerCase().replaceAll(/[_-]/g, ''), decoded(value.trim())];
    }),
  );
}

function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}
