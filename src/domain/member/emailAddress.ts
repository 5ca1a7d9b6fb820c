/** In characters. Source: RFC 5321, 4.5.3.1. */
const longest = { address: 254, localPart: 64, domain: 253 };

const localPart = /^[^\s\p{C}@"(),:;<>[\\\]]+$/u;
/** One name of a domain, between dots. Source: RFC 1035, 2.3.1; letters of all scripts: RFC 6531. */
const label = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;

/** Why mail cannot be addressed so, or undefined when it can. Quoted local parts and bare hosts are refused. */
export function emailAddressFault(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  const isAddress =
    text.length <= longest.address &&
    isLocalPart(text.slice(0, Math.max(0, at))) &&
    isDomain(text.slice(at + 1));
  return isAddress ? undefined : "must be an email address such as 'jane@example.com'";
}

/** Equal for addresses that are taken for the same: nobody has two that differ in case only. */
export const comparableEmailAddress = (text: string): string => text.normalize('NFC').toLowerCase();

const isLocalPart = (text: string): boolean =>
  text.length <= longest.localPart && text.split('.').every((atom) => localPart.test(atom));

function isDomain(text: string): boolean {
  const labels = text.split('.');
  return text.length <= longest.domain && labels.length > 1 && labels.every((name) => label.test(name));
}
