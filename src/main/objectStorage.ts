import { join } from 'node:path';
import type { KeyObject } from 'node:crypto';
import { createFileStorage } from '#infra/storage/files/fileStorage.ts';
import { createTransfers } from '#infra/storage/files/transfers.ts';
import { createS3Storage } from '#infra/storage/s3/s3Storage.ts';
import type { CommandDependencies } from '#commands/context.ts';
import type { Clock } from '#ports/clock.ts';
import type { ObjectStorage } from '#ports/objectStorage.ts';
import type { ObjectTransfers } from '#ports/objectTransfers.ts';
import type { Timer } from '#ports/timer.ts';
import { createUploadWatch } from '#src/accountUpdater/uploadWatch.ts';
import type { Config } from '#src/config.ts';

/** What an upload that was interrupted has left is removed when it is so old, in milliseconds. */
const staleAfter = 24 * 3_600_000;

export type Objects = {
  objects: ObjectStorage;
  /** For who serves requests; undefined: clients talk to the storage itself. */
  transfers: ((dependencies: CommandDependencies) => ObjectTransfers) | undefined;
  timers: readonly Timer[];
};

type Settings = {
  config: Config;
  clock: Clock;
  /** Signs the URLs of files. */
  secret: () => Promise<KeyObject>;
};

/** Where files lie that are in no bucket. */
export const objectsIn = ({ dataDirectory }: Config): string => join(dataDirectory, 'objects');

/** The storage that the settings name. */
export function createObjects({ config, clock, secret }: Settings): Objects {
  const { s3Bucket: bucket, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = config;
  if (bucket !== undefined) {
    const credentials =
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey };
    const { s3Region: region, s3Endpoint: endpoint, s3PathStyle: pathStyle } = config;
    const objects = createS3Storage({ bucket, region, endpoint, credentials, pathStyle, clock });
    return { objects, transfers: undefined, timers: [] };
  }
  const directory = objectsIn(config);
  const objects = createFileStorage({ directory, baseUrl: config.publicUrl, secret });
  return {
    objects,
    transfers: (dependencies) =>
      createTransfers({
        directory,
        secret,
        clock,
        watch: createUploadWatch({ ...dependencies, objects }),
      }),
    timers: [
      {
        name: 'sweep_interrupted_uploads',
        schedule: '17 * * * *',
        // Files have the time of the machine, whatever the service makes of it.
        run: () => objects.sweep(new Date(Date.now() - staleAfter)),
      },
    ],
  };
}
