import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

export type RunningBrowser = { browser: Browser; version: string; close(): Promise<void> };

/** The flags that the package recommends would switch off the very thing that is tested: rules about origins. */
const flags = ['--no-zygote', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'];

const packed = pathToFileURL(createRequire(import.meta.url).resolve('@sparticuz/chromium')).href;
/** It unpacks into the temporary directory of its process, and with the libraries that a machine may lack. */
const unpack = `import chromium from ${JSON.stringify(packed)};
chromium.setGraphicsMode = false;
await chromium.executablePath();`;

/**
 * A Chromium that came with `npm ci`, unpacked for this one run. It has no sandbox of its own, which root could not
 * use: it opens pages of tests only.
 */
export async function startBrowser(): Promise<RunningBrowser> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-browser-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpack], {
      env: { ...process.env, TMPDIR: directory, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
    });
    const browser = await chromium.launch({
      executablePath: join(directory, 'chromium'),
      args: flags,
      chromiumSandbox: false,
      env: {
        ...process.env,
        HOME: directory,
        TMPDIR: directory,
        FONTCONFIG_PATH: join(directory, 'fonts'),
        LD_LIBRARY_PATH: [process.env['LD_LIBRARY_PATH'], join(directory, 'al2023', 'lib')]
          .filter(Boolean)
          .join(':'),
      },
    });
    return {
      browser,
      version: browser.version(),
      close: async () => {
        await browser.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
