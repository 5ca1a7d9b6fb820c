/** What stands before the first `-` of a stream's name. A stream of another category is none of the domain's. */
export const streamCategories: readonly string[] = [
  'account_updater_job',
  'application',
  'connection',
  'invocation',
  'member',
  'proxy',
  'reactor',
  'session',
  'tenant',
  'token',
  'transaction',
  'webhook',
  'webhookrequest',
];
