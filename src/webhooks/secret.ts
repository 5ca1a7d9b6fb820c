import { randomBytes } from 'node:crypto';

/** 32 bytes, in the form of the Standard Webhooks specification. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
