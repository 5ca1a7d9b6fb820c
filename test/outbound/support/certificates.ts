import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Certificate = { certificate: string; key: string };

type Wanted = {
  /** Names and addresses that the certificate is for. */
  hosts: readonly string[];
  /** By default valid for a day from an hour ago. */
  expires?: Date;
  /** By default the certificate signs itself. */
  issuer?: Certificate;
  authority?: boolean;
};

const hour = 3_600_000;
const oids = {
  commonName: '550403',
  ecdsaWithSha256: '2a8648ce3d040302',
  basicConstraints: '551d13',
  subjectAltName: '551d11',
};

/** An X.509 certificate on P-256: node:crypto reads them, and makes none. Source: RFC 5280 §4.1. */
export function makeCertificate({ hosts, expires, issuer, authority = false }: Wanted): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(oids.ecdsaWithSha256));
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    tagged(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    algorithm,
    nameOf(issuer === undefined && !authority ? 'itself' : 'authority'),
    sequence(time(new Date(Date.now() - 24 * hour)), time(expires ?? new Date(Date.now() + 24 * hour))),
    nameOf(authority ? 'authority' : 'itself'),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(
      0xa3,
      sequence(
        extension(oids.basicConstraints, sequence(...(authority ? [tagged(0x01, Buffer.of(0xff))] : []))),
        ...(hosts.length === 0 ? [] : [extension(oids.subjectAltName, sequence(...hosts.map(alternative)))]),
      ),
    ),
  );
  const signature = sign('sha256', body, issuer === undefined ? privateKey : createPrivateKey(issuer.key));
  const certificate = sequence(body, algorithm, bits(signature));
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function tagged(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...contents: readonly Uint8Array[]): Buffer => tagged(0x30, ...contents);
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const bits = (content: Uint8Array): Buffer => tagged(0x03, Buffer.of(0), content);
const nameOf = (commonName: string): Buffer =>
  sequence(tagged(0x31, sequence(oid(oids.commonName), tagged(0x0c, Buffer.from(commonName)))));
const extension = (id: string, content: Uint8Array): Buffer => sequence(oid(id), tagged(0x04, content));
const alternative = (host: string): Buffer =>
  isIP(host) === 0
    ? tagged(0x82, Buffer.from(host))
    : tagged(0x87, Uint8Array.from(ipaddr.parse(host).toByteArray()));

/** GeneralizedTime: `20260131235959Z`. */
const time = (date: Date): Buffer =>
  tagged(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\..*/g, '')}Z`));
