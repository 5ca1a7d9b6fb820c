import { isUuid } from '#src/identifiers.ts';

/** Hosts (`api.example.com`) and all below one (`*.example.com`), in lower case. */
export type DestinationList = readonly string[];

/**
 * The setting of a tenant that bounds all calls that the tenant steers. With `:` and the id of an application, reactor or
 * proxy behind it, it bounds those further (decision 51).
 */
const setting = 'allowed_destinations';

type Settings = Readonly<Record<string, string>>;

/** The lists that bound calls on behalf of the given applications, reactors and proxies: a host must be in each. */
export function destinationListsOf(
  settings: Settings | undefined,
  ids: readonly string[],
): DestinationList[] {
  const names = [setting, ...ids.map((id) => `${setting}:${id}`)];
  return names.flatMap((name) => {
    const text = settings?.[name];
    return text === undefined ? [] : [entriesOf(text).map((entry) => hostOf(entry) ?? '')];
  });
}

/** Whether the host of a URL is in each of the lists. */
export function isAllowedDestination(lists: readonly DestinationList[], url: URL): boolean {
  const host = url.hostname.replace(/\.$/, '');
  return lists.every((list) =>
    list.some((entry) => (entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : entry === host)),
  );
}

/** Why a list must not lead to a URL; undefined: it may, or the URL is none. */
export function destinationListFault(lists: readonly DestinationList[], url: string): string | undefined {
  if (!URL.canParse(url) || isAllowedDestination(lists, new URL(url))) return undefined;
  return `must lead to a host that the tenant's setting ${setting} allows`;
}

/** What is wrong with a setting of a tenant, when it is a list of destinations; undefined: nothing. */
export function destinationSettingFault(name: string, text: string): string | undefined {
  const [first, id, ...others] = name.split(':');
  if (first !== setting) return undefined;
  if (others.length > 0 || (id !== undefined && (!isUuid(id) || id !== id.toLowerCase()))) {
    return 'must have the id of an application, a reactor or a proxy behind the colon, in lower case';
  }
  return entriesOf(text).every((entry) => hostOf(entry) !== undefined)
    ? undefined
    : "must be hosts separated by commas, such as 'api.example.com,*.example.org', without scheme, port or path";
}

const entriesOf = (text: string): string[] => text.split(',').map((entry) => entry.trim());

/** A host as URLs have it; undefined for what is none. */
function hostOf(entry: string): string | undefined {
  const [, wildcard = '', name = ''] = /^(\*\.)?([^\s/?#@:*%\\]+|\[[0-9a-f:.]+\])$/i.exec(entry) ?? [];
  if (name === '' || !URL.canParse(`https://${name}`)) return undefined;
  return wildcard + new URL(`https://${name}`).hostname.replace(/\.$/, '');
}
