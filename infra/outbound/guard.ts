import { readExceptions } from '#infra/outbound/exceptions.ts';
import type { Exceptions } from '#infra/outbound/exceptions.ts';
import { isPublic } from '#infra/outbound/publicAddress.ts';
import { parseUrl, targetOf } from '#infra/outbound/target.ts';
import { OutboundRefused } from '#ports/outbound.ts';
import type { OutboundGuard, OutboundRefusal } from '#ports/outbound.ts';
import type { OutboundException } from '#src/settingValues.ts';

/**
 * What can be told of a URL before its name is resolved. A name that only resolves to an address which is opened is
 * not known to be, and needs https here.
 * @throws StartupError for an exception that is none
 */
export function createOutboundGuard(entries: readonly OutboundException[]): OutboundGuard {
  const exceptions = readExceptions(entries);
  return {
    refusalOf: (url) => {
      try {
        return refusalOf(url, exceptions);
      } catch (error) {
        if (error instanceof OutboundRefused) return error.reason;
        throw error;
      }
    },
    namesAddress: (url) => {
      const { literal, port } = targetOf(parseUrl(url));
      return literal !== undefined && !exceptions.allowsAddress(literal, port);
    },
  };
}

function refusalOf(text: string, exceptions: Exceptions): OutboundRefusal | undefined {
  const { host, literal, port, secure } = targetOf(parseUrl(text));
  if (literal === undefined) {
    if (exceptions.allowsName(host, port)) return undefined;
    if (/(^|\.)localhost$/.test(host)) return 'address';
  } else {
    if (exceptions.allowsAddress(literal, port)) return undefined;
    if (!isPublic(literal)) return 'address';
  }
  return secure ? undefined : 'scheme';
}
