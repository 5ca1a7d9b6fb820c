import Type from 'typebox';

/** spec: Account Updater Job */
export const AccountUpdaterJob = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    tenant_id: Type.String({ format: 'uuid' }),
    status: Type.Union([
      Type.Literal('pending'),
      Type.Literal('processing'),
      Type.Literal('completed'),
      Type.Literal('failed'),
    ]),
    created_by: Type.Optional(Type.String({ format: 'uuid' })),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'While pending: until when the file can be uploaded.',
      }),
    ),
    upload_url: Type.Optional(
      Type.String({
        description: 'While pending: takes the request file by PUT, without a key, 30 MB at most.',
      }),
    ),
    rows: Type.Optional(
      Type.Integer({
        description: 'While processing, of one job: how many rows the file has, once that is known.',
      }),
    ),
    processed: Type.Optional(
      Type.Integer({ description: 'While processing, of one job: how many are done.' }),
    ),
    download_url: Type.Optional(
      Type.String({
        description: 'When completed: answers the result file by GET, without a key, for an hour.',
      }),
    ),
    errors: Type.Optional(
      Type.Array(Type.String(), { description: 'When failed: why the file cannot be processed.' }),
    ),
  },
  { $id: 'AccountUpdaterJob' },
);
