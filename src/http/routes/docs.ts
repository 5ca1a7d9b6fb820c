import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import helmet from 'koa-helmet';
import type { HttpContext, HttpMiddleware } from '#http/context.ts';
import type { RateGate } from '#http/request/rateGate.ts';

const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const directory = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** No scripts but the service's own. The viewer sets style attributes and has its icons in data URLs. */
const guarded = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // For whoever terminates TLS to say.
  strictTransportSecurity: false,
});

/** The interface's documentation for a browser, at `/docs`; everything it loads comes from here. */
export function docs(publicUrl: string, rateLimits: RateGate): HttpMiddleware {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  const page = pageAt(base);
  const script = scriptAt(base);
  const serve = async (context: HttpContext, name: string): Promise<void> => {
    if (name === '') sendText(context, 'text/html; charset=utf-8', page);
    else if (name === 'start.js') sendText(context, 'text/javascript; charset=utf-8', script);
    else await sendAsset(context, name);
  };
  return async (context, next) => {
    const name = /^\/docs(?:\/([^/]*))?$/.exec(context.path);
    if (name === null || !isRead(context.method) || !isServed(name[1] ?? '')) return next();
    context.state.route = '/docs';
    await rateLimits.pass(context, 'portal');
    return guarded(context, () => serve(context, name[1] ?? ''));
  };
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';
const isServed = (name: string): boolean => name === '' || name === 'start.js' || Object.hasOwn(assets, name);

function sendText(context: HttpContext, type: string, text: string): void {
  context.set('Content-Type', type);
  context.body = text;
}

async function sendAsset(context: HttpContext, name: string): Promise<void> {
  const content = await readFile(join(directory, name));
  context.set('Content-Type', assets[name] ?? 'application/octet-stream');
  context.set('Cache-Control', 'public, max-age=86400');
  context.body = content;
}

const pageAt = (base: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Holdfast</title>
    <link rel="stylesheet" href="${base}/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="${base}/docs/favicon-32x32.png">
  </head>
  <body>
    <div id="documentation"></div>
    <script src="${base}/docs/swagger-ui-bundle.js"></script>
    <script src="${base}/docs/start.js"></script>
  </body>
</html>
`;

const scriptAt = (base: string): string => `SwaggerUIBundle({
  url: ${JSON.stringify(`${base}/openapi.json`)},
  dom_id: '#documentation',
  deepLinking: true,
  validatorUrl: null,
});
`;
