import type { AccessRule, ApplicationType } from '#domain/application/events.ts';

/** Rights that many applications want, ready to be given to a new one. */
export type ApplicationTemplate = {
  id: string;
  name: string;
  description: string;
  applicationType: ApplicationType;
  templateType: 'starters' | 'payments' | 'banking' | 'pii' | 'management';
  isStarter: boolean;
  permissions: readonly string[];
  rules: readonly AccessRule[];
};

const rule = (
  description: string,
  container: string,
  transform: AccessRule['transform'],
  permissions: string[],
): AccessRule => ({ description, priority: 1, container, transform, permissions });

/** Their ids never change: clients may keep them. */
export const applicationTemplates: readonly ApplicationTemplate[] = [
  {
    id: 'b3a5f1c2-6d0e-4f7b-9a54-0c1d2e3f4a01',
    name: 'Collect data in a browser or an app',
    description: 'Creates tokens, and reads none. Its key may be public.',
    applicationType: 'public',
    templateType: 'starters',
    isStarter: true,
    permissions: ['token:create'],
    rules: [],
  },
  {
    id: 'b3a5f1c2-6d0e-4f7b-9a54-0c1d2e3f4a02',
    name: 'Work with tokens on a server',
    description: 'Creates, finds and changes tokens, and sees their masks.',
    applicationType: 'private',
    templateType: 'starters',
    isStarter: true,
    permissions: ['token:create', 'token:read', 'token:search', 'token:update', 'token:delete'],
    rules: [],
  },
  {
    id: 'b3a5f1c2-6d0e-4f7b-9a54-0c1d2e3f4a03',
    name: 'Use cards without seeing them',
    description: 'Uses tokens in reactors, proxies and transactions, and sees the masks of cards.',
    applicationType: 'private',
    templateType: 'payments',
    isStarter: false,
    permissions: ['token:use'],
    rules: [rule('See the masks of cards', '/pci/', 'mask', ['token:read', 'token:search'])],
  },
  {
    id: 'b3a5f1c2-6d0e-4f7b-9a54-0c1d2e3f4a04',
    name: 'Read bank accounts in the clear',
    description: 'Reveals what lies in the containers of bank accounts.',
    applicationType: 'private',
    templateType: 'banking',
    isStarter: false,
    permissions: [],
    rules: [rule('Reveal bank accounts', '/bank/', 'reveal', ['token:read'])],
  },
  {
    id: 'b3a5f1c2-6d0e-4f7b-9a54-0c1d2e3f4a05',
    name: 'Read personal data in the clear',
    description: 'Reveals what lies in the containers of personal data.',
    applicationType: 'private',
    templateType: 'pii',
    isStarter: false,
    permissions: [],
    rules: [rule('Reveal personal data', '/pii/', 'reveal', ['token:read', 'token:search'])],
  },
  {
    id: 'b3a5f1c2-6d0e-4f7b-9a54-0c1d2e3f4a06',
    name: 'Administer applications',
    description: 'Makes, changes and deletes applications and their keys.',
    applicationType: 'management',
    templateType: 'management',
    isStarter: true,
    permissions: ['application:create', 'application:read', 'application:update', 'application:delete'],
    rules: [],
  },
  {
    id: 'b3a5f1c2-6d0e-4f7b-9a54-0c1d2e3f4a07',
    name: 'Audit',
    description: 'Reads the audit log, the histories of tokens and applications, and usage.',
    applicationType: 'management',
    templateType: 'management',
    isStarter: false,
    permissions: ['log:read', 'report:read'],
    rules: [],
  },
];
