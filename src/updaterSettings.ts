import { availableParallelism } from 'node:os';
import { setting } from '#src/setting.ts';
import { httpUrl, oneOf, wholeNumber } from '#src/settingValues.ts';

/** What the account updater runs on: processes, storage for files, card networks. */
export const updaterSettings = {
  updaterProcesses: setting(
    'HOLDFAST_UPDATER_PROCESSES',
    'one less than the cores, at most 4',
    'Processes for the jobs of the account updater, some 150 MB each. They start with the first job.',
    (text) =>
      wholeNumber(
        'HOLDFAST_UPDATER_PROCESSES',
        text,
        Math.min(Math.max(availableParallelism() - 1, 1), 4),
        1,
        64,
      ),
  ),
  s3Bucket: setting(
    'HOLDFAST_S3_BUCKET',
    'unset: files below the data directory',
    'Bucket for the files of the account updater, in S3 or what speaks its protocol.',
    (text) => text,
  ),
  s3Endpoint: setting(
    'HOLDFAST_S3_ENDPOINT',
    "AWS's own",
    'Where the bucket is instead: `https://minio.example.com`.',
    (text) => (text === undefined ? undefined : httpUrl('HOLDFAST_S3_ENDPOINT', text)),
  ),
  s3Region: setting(
    'HOLDFAST_S3_REGION',
    'us-east-1',
    'Region of the bucket.',
    (text) => text ?? 'us-east-1',
  ),
  s3PathStyle: setting(
    'HOLDFAST_S3_PATH_STYLE',
    '`on` with an endpoint, else `off`',
    'Whether the bucket stands in the path of URLs (`on`), or in their host (`off`).',
    (text) =>
      text === undefined ? undefined : oneOf('HOLDFAST_S3_PATH_STYLE', text, 'on', ['on', 'off']) === 'on',
  ),
  s3AccessKeyId: setting(
    'HOLDFAST_S3_ACCESS_KEY_ID',
    'unset: where the AWS SDK looks',
    'Who asks for the bucket; goes with the next.',
    (text) => text,
  ),
  s3SecretAccessKey: setting(
    'HOLDFAST_S3_SECRET_ACCESS_KEY',
    'unset: where the AWS SDK looks',
    'The secret that goes with it.',
    (text) => text,
  ),
  cardNetworksUrl: setting(
    'HOLDFAST_CARD_NETWORKS_URL',
    'unset: a sandbox with test cards',
    'Gateway that the account updater asks about cards: see [docs/account-updater.md](docs/account-updater.md). A place within the network has to be in `HOLDFAST_OUTBOUND_ALLOW` too.',
    (text) => (text === undefined ? undefined : httpUrl('HOLDFAST_CARD_NETWORKS_URL', text)),
  ),
  cardNetworksKey: setting(
    'HOLDFAST_CARD_NETWORKS_KEY',
    'unset',
    'What the gateway is shown, as a bearer token; goes with the URL.',
    (text) => text,
  ),
} as const;
