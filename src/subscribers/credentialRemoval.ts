import type { ApplicationEvent } from '#domain/application/events.ts';
import type { ProxyEvent } from '#domain/proxy/events.ts';
import type { SessionEvent } from '#domain/session/events.ts';
import type { Credentials } from '#ports/credentials.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Subscriber } from '#ports/subscriber.ts';

/** Removes the hashes of keys that open nothing any more. */
export const credentialRemoval = (credentials: Credentials): Subscriber => ({
  name: 'credential_removal',
  types: ['application.deleted', 'application.key.deleted', 'session.expired', 'proxy.deleted'],
  from: 'beginning',
  handle: async (events) => {
    for (const event of events) {
      const { type, data, metadata } = event as unknown as RecordedEvent &
        (ApplicationEvent | SessionEvent | ProxyEvent);
      if (type === 'application.deleted') await credentials.removeApplication(metadata.tenant_id, data.id);
      if (type === 'session.expired' || type === 'proxy.deleted') {
        await credentials.removeKey(metadata.tenant_id, data.id);
      }
      if (type === 'application.key.deleted') await credentials.removeKey(metadata.tenant_id, data.key_id);
    }
  },
});
