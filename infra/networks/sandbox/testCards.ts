import type { ResultCode } from '#domain/accountUpdater/resultCodes.ts';
import type { CardExpiration } from '#ports/cardNetworks.ts';

export type TestCard = {
  code: ResultCode | undefined;
  number?: string;
  /** `later`: three years after what was asked with. */
  expiration?: CardExpiration | 'later';
};

const renewed: CardExpiration = { month: 12, year: 2026 };

/** Cards whose answers clients know by heart. spec: test card numbers trigger each result code */
export const testCards: ReadonlyMap<string, TestCard> = new Map<string, TestCard>([
  ['4111111111111111', { code: 'UPD_PAN', number: '4166676667666746' }],
  ['4012888888881881', { code: 'UPD_PAN', number: '4212345678910006', expiration: renewed }],
  ['5555555555554444', { code: 'UPD_PAN', number: '5454545454545454' }],
  ['5105105105105100', { code: 'UPD_PAN', number: '5233580618829955', expiration: renewed }],
  ['6011111111111117', { code: 'UPD_PAN', number: '6011000990139424' }],
  ['6011601160116611', { code: 'UPD_PAN', number: '6445644564456445', expiration: renewed }],
  ['378282246310005', { code: 'UPD_PAN', number: '375155165213132' }],
  ['371449635398431', { code: 'UPD_PAN', number: '348835199015504', expiration: renewed }],
  ['6011690151507086', { code: 'UPD_EXP_DATE', expiration: renewed }],
  ['4539097887163333', { code: 'UPD_EXP_DATE', expiration: renewed }],
  ['5325191087030619', { code: 'UPD_EXP_DATE', expiration: renewed }],
  ['373555735376156', { code: 'UPD_EXP_DATE', expiration: renewed }],
  ['6011760519541711', { code: 'UPD_BRAND_CONV' }],
  ['6011490740263725', { code: 'UPD_CORRECTED', expiration: 'later' }],
  ['5461310156953048', { code: 'WRN_CLOSED_ACCOUNT' }],
  ['6011168802268945', { code: 'WRN_CLOSED_ACCOUNT' }],
  ['370488998077498', { code: 'WRN_CLOSED_ACCOUNT' }],
  ['4929980395567582', { code: 'WRN_CONTACT_CARDHOLDER' }],
  ['6011444770992901', { code: 'WRN_CONTACT_CARDHOLDER' }],
  ['4916725297925395', { code: 'WRN_ISSUER_NO_DATA' }],
  ['5157204564548129', { code: 'WRN_ISSUER_NO_DATA' }],
  ['5580422612666704', { code: 'WRN_ISSUER_NOT_ENROLLED' }],
  ['4929544240318920', { code: 'WRN_ISSUER_NOT_ENROLLED' }],
  ['4035501000000008', { code: 'WRN_OPT_OUT' }],
  ['6011178332216017', { code: 'ERR_UNDEFINED' }],
  ['6011648103759866', { code: 'ERR_INVALID_EXP_DATE' }],
  ['4111111145551142', { code: 'ERR_INVALID_EXP_DATE' }],
  ['5577000055770004', { code: 'ERR_INVALID_EXP_DATE' }],
  ['378734493671000', { code: 'ERR_INVALID_EXP_DATE' }],
  ['378025849667382', { code: 'ERR_INVALID_PAN' }],
  ['4035501428146300', { code: 'ERR_INVALID_PAN' }],
  ['5555341244441115', { code: 'ERR_INVALID_PAN' }],
  ['6011829379808385', { code: 'ERR_INVALID_PAN' }],
  ['370000000000002', { code: 'ERR_INVALID_CONFIG' }],
  ['4111112014267661', { code: 'ERR_INVALID_CONFIG' }],
  ['5555444433331111', { code: 'ERR_INVALID_CONFIG' }],
  ['4711358892785746', { code: undefined }],
  ['5412000000001009', { code: undefined }],
]);
