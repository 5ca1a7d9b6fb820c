import type { Answer } from '#http/route.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

/**
 * A page for people: without scripts, styles or images, so that nothing can be made to run in it.
 * @param body HTML
 * @param formTarget where its forms lead, as an origin
 * @param isFramed whether shops may show it inside their own page
 */
export const page = (
  title: string,
  body: string,
  { formTarget = "'none'", isFramed = false }: { formTarget?: string; isFramed?: boolean } = {},
): Answer => ({
  status: 200,
  headers: {
    'Content-Security-Policy': `default-src 'none'; form-action ${formTarget}; base-uri 'none'; frame-ancestors ${isFramed ? '*' : "'none'"}`,
    'Referrer-Policy': 'no-referrer',
    ...(isFramed ? {} : { 'X-Frame-Options': 'DENY' }),
  },
  content: {
    type: 'text/html; charset=utf-8',
    data: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${escaped(title)}</title>
  </head>
  <body>
    <main>
      <h1>${escaped(title)}</h1>
      ${body}
    </main>
  </body>
</html>
`,
  },
});
