import Type from 'typebox';
import { resultCodes } from '#domain/accountUpdater/resultCodes.ts';
import { closed } from '#http/schemas/closed.ts';
import { nullable } from '#http/schemas/nullable.ts';
import { Token } from '#http/schemas/token.ts';

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

/** Source: reference of the real-time updater. */
export const RealTimeRequest = closed({
  token_id: Type.String({ minLength: 1, maxLength: 400, description: 'A token of the type `card`.' }),
  expiration_month: Type.Optional(
    nullable(Type.Integer({ minimum: 1, maximum: 12, description: 'Default: what the token says.' })),
  ),
  expiration_year: Type.Optional(
    nullable(Type.Integer({ minimum: 1000, maximum: 9999, description: 'Four digits. Default: as above.' })),
  ),
  deduplicate_token: Type.Optional(
    nullable(
      Type.Boolean({
        description: 'Whether a token that has the fingerprint already is brought up to date instead.',
      }),
    ),
  ),
});

export const RealTimeResponse = Type.Object(
  {
    result_code: Type.Enum([...resultCodes, 'NO_UPDATE']),
    new_token: Type.Optional(Token),
  },
  { $id: 'AccountUpdaterRealTime' },
);
