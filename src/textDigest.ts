import { hash } from 'node:crypto';

/** SHA-256 of a text, in base64: who has it need not read the text again to know that it is the same. */
export const textDigest = (text: string): string => hash('sha256', text, 'base64');
