import type { OutboundHeaders } from '#ports/outbound.ts';
import type { MessageSigner } from '#ports/messageSigner.ts';

/** The service's own signature of a body, which receivers verify by its public key. Source: reference of webhooks. */
export async function serviceSignature(signer: MessageSigner, body: string): Promise<OutboundHeaders> {
  return [
    ['BT-SIGNATURE-VERSION', 'v1'],
    ['BT-SIGNATURE', await signer.sign(body)],
  ];
}
