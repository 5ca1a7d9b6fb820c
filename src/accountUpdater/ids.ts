import { derivedId, isUuid } from '#src/identifiers.ts';

/** Ids of what is done about a chunk: the same whenever it is done again. @param jobId a uuid */
export const chunkIds = (
  jobId: string,
  chunk: number,
): { batch: string; answers: string; tokens: string } => ({
  /** Of the question to the networks. */
  batch: derivedId(jobId, 'chunk', chunk, 'batch'),
  /** Of the payload that keeps their answers. */
  answers: derivedId(jobId, 'chunk', chunk, 'answers'),
  /** Of the command that makes the new tokens. */
  tokens: derivedId(jobId, 'chunk', chunk, 'tokens'),
});

/** Where the files of a job lie in the object storage. */
export const objectKeys = {
  ofTenant: (tenantId: string): string => tenantId,
  ofJob: (tenantId: string, jobId: string): string => `${tenantId}/${jobId}`,
  request: (tenantId: string, jobId: string): string => `${tenantId}/${jobId}/request.csv`,
  /** The part of the result that a chunk makes. */
  part: (tenantId: string, jobId: string, chunk: number): string => `${tenantId}/${jobId}/parts/${chunk}.csv`,
  /** Which tokens a chunk has in common with others. Lies with the parts, and goes with them. */
  repeats: (tenantId: string, jobId: string, chunk: number): string =>
    `${tenantId}/${jobId}/parts/${chunk}-repeats.json`,
  /** What came out for the tokens of a chunk that others have, too. */
  outcomes: (tenantId: string, jobId: string, chunk: number): string =>
    `${tenantId}/${jobId}/parts/${chunk}-outcomes.json`,
  parts: (tenantId: string, jobId: string): string => `${tenantId}/${jobId}/parts`,
  result: (tenantId: string, jobId: string): string => `${tenantId}/${jobId}/result.csv`,
};

/** The job whose request file lies there; undefined: none does. */
export function jobOfRequest(key: string): { tenantId: string; id: string } | undefined {
  const [tenantId = '', id = '', name, ...more] = key.split('/');
  if (name !== 'request.csv' || more.length > 0 || !isUuid(tenantId) || !isUuid(id)) return undefined;
  return { tenantId, id };
}

/** Of a request file: 30 MB. spec: Limits */
export const mostBytesOfRequest = 30 * 1024 * 1024;
