import { constants, createPublicKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { MessageSigner } from '#ports/messageSigner.ts';

/** One message goes to several receivers, some of them behind others; that of so many is signed once. */
const kept = 4_096;

/** Signs in Node's thread pool: an RSA signature takes the better part of a millisecond. */
export function createMessageSigner(key: () => Promise<KeyObject>): MessageSigner {
  const recent = new Map<string, Promise<string>>();
  const signAnew = async (body: string): Promise<string> => {
    const options = { key: await key(), padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
    const signed = Promise.withResolvers<string>();
    sign('sha256', Buffer.from(body), options, (error, signature) => {
      if (error === null) signed.resolve(signature.toString('base64'));
      else signed.reject(error);
    });
    return signed.promise;
  };
  return {
    sign: (body) => {
      const known = recent.get(body);
      if (known !== undefined) return known;
      const signing = signAnew(body);
      recent.set(body, signing);
      signing.catch(() => recent.delete(body));
      for (const oldest of recent.keys()) {
        if (recent.size <= kept) break;
        recent.delete(oldest);
      }
      return signing;
    },
    publicKey: async () =>
      createPublicKey(await key())
        .export({ type: 'spki', format: 'pem' })
        .toString(),
  };
}
