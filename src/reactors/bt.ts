import type { AccessDirectory, Caller } from '#ports/accessDirectory.ts';
import type { Dispatch, InnerAnswer, InnerRequest, Origin } from '#ports/dispatch.ts';

export type BtDependencies = {
  dispatch: Dispatch;
  accessDirectory: Pick<AccessDirectory, 'ofApplication'>;
};

/** Calls of the service by code, with the rights of an application. Never rejects. */
export type Bt = (request: InnerRequest) => Promise<InnerAnswer>;

export type BindBt = (application: { tenantId: string; applicationId: string }, origin: Origin) => Bt;

/**
 * What stands behind `req.bt`. The application is looked up for each call: its rights may change while code runs,
 * and it may go.
 */
export function createBt({ dispatch, accessDirectory }: BtDependencies): BindBt {
  return ({ tenantId, applicationId }, origin) =>
    async (request) => {
      let caller: Caller | undefined;
      try {
        caller = await accessDirectory.ofApplication(tenantId, applicationId);
      } catch {
        return refusal(
          503,
          'Service Unavailable',
          'The rights of the application cannot be read; try again.',
        );
      }
      if (caller === undefined) {
        return refusal(401, 'Unauthorized', 'The application of the reactor was deleted, or has expired.');
      }
      return dispatch(caller, request, origin);
    };
}

const refusal = (status: number, title: string, detail: string): InnerAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: { title, status, detail },
});
