import type { DevelopmentTenant } from '#src/main/developmentTenant.ts';

/** What a person reads when the service is up. */
export function banner(
  publicUrl: string,
  hosts: readonly string[],
  port: number,
  development: DevelopmentTenant | undefined,
): string {
  const listening = hosts.map((host) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`));
  const lines = ['', `Holdfast is ready on ${listening.join(' and ')}.`, ''];
  if (development !== undefined) {
    lines.push(...keys(development), '');
    if (development.keys !== 'elsewhere') lines.push(...firstRequest(publicUrl, development), '');
  }
  lines.push(`Interface:  ${publicUrl}/docs`, `OpenAPI:    ${publicUrl}/openapi.json`, '', '');
  return lines.join('\n');
}

type WithCredentials = Exclude<DevelopmentTenant, { keys: 'elsewhere' }>;

function keys(development: DevelopmentTenant): string[] {
  const { file } = development;
  if (development.keys === 'elsewhere') {
    return [
      `There is a tenant 'dev' already (${development.tenantId}), and its keys stay as they were; they are not in`,
      `${file}. Bring that file from where the tenant`,
      'was made, or make another tenant: npx holdfast tenant create <name>',
    ];
  }
  if (development.keys === 'kept') return [`The keys of the tenant 'dev' are in ${file}.`];
  const { credentials } = development;
  return [
    `A tenant 'dev' was made (${credentials.tenant_id}). Its keys, shown this once and kept in`,
    `${file}:`,
    '',
    `  management  ${credentials.management}`,
    `  private     ${credentials.private}`,
    `  public      ${credentials.public}`,
  ];
}

function firstRequest(publicUrl: string, { credentials, file, keys: state }: WithCredentials): string[] {
  const key =
    state === 'made' ? credentials.private : `$(node -p "JSON.parse(fs.readFileSync('${file}')).private")`;
  const card =
    '{"number": "4242424242424242", "expiration_month": 12, "expiration_year": 2030, "cvc": "123"}';
  return [
    'Store a first card:',
    '',
    `  curl ${publicUrl}/tokens -H "BT-API-KEY: ${key}" \\`,
    `    -H 'Content-Type: application/json' -d '{"type": "card", "data": ${card}}'`,
  ];
}
