import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { removeDataDirectory, request, runHoldfast, startService } from '#test/support/service.ts';
import { header } from '#test/updater/support/files.ts';

type Context = { dataDirectory: string; directory: string; card: string; tenantId: string };

const line = suite<Context>('the account updater of the command line');

line.before(async (context) => {
  context.dataDirectory = await newPreparedDirectory();
  context.directory = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
  const service = await startService(context.dataDirectory);
  const data = { number: '4111111111111111', expiration_month: 12, expiration_year: 2024 };
  const { body } = await request<{ id: string }>(service, 'POST', '/tokens', {
    key: service.credentials.private,
    body: { type: 'card', data },
  });
  context.card = body.id;
  context.tenantId = service.credentials.tenant_id;
  await service.end();
});
line.after(async ({ dataDirectory, directory }) => {
  await removeDataDirectory(dataDirectory);
  await rm(directory, { recursive: true });
});

const run = ({ dataDirectory }: Context, ...words: string[]) =>
  runHoldfast(['account-updater', ...words], { HOLDFAST_DATA_DIR: dataDirectory });

line(
  'given a file and no service that runs, then a whole job is done, and its result is written',
  async (context) => {
    const [file, out] = [join(context.directory, 'cards.csv'), join(context.directory, 'result.csv')];
    await writeFile(file, `${header}\n${context.card},,,1\nnobody,,,1\n`);
    const ended = await run(context, 'run', file, '--out', out);
    assert.equal([ended.code, ended.err], [0, '']);
    assert.match(ended.out, /^job {3}[0-9a-f-]{36}\nrows {2}2\nERR_INVALID_TOKEN {2}1\nUPD_PAN {2}1\n$/);
    const result = await readFile(out, 'utf8');
    assert.match(
      result,
      new RegExp(`\n${context.card},,,[0-9a-f-]{36},,,UPD_PAN\nnobody,,,,,,ERR_INVALID_TOKEN\n$`),
    );
  },
);

line('given a file that is unusable, or none, then one sentence says why', async (context) => {
  const file = join(context.directory, 'bad.csv');
  await writeFile(file, 'nonsense\n');
  const out = join(context.directory, 'none.csv');
  const bad = await run(context, 'run', file, '--out', out);
  assert.equal([bad.code, bad.out], [1, '']);
  assert.match(bad.err, /^holdfast: The header row is missing: .*\n$/);
  const none = await run(context, 'run', out, '--out', out);
  assert.equal([none.code, none.err], [1, `holdfast: there is no file '${out}'\n`]);
});

line('given a place where no result can be written, then no job is begun', async (context) => {
  const file = join(context.directory, 'good.csv');
  await writeFile(file, `${header}\n${context.card},,,1\n`);
  for (const out of [join(context.directory, 'nowhere', 'result.csv'), context.directory]) {
    const { code, err } = await run(context, 'run', file, '--out', out);
    assert.equal([code, err], [1, `holdfast: '${out}' cannot be written\n`]);
  }
});

line('given merchants, then they are kept, printed, and forgotten', async (context) => {
  const { tenantId } = context;
  assert.is((await run(context, 'merchants', tenantId, '1234', 'shop-2')).out, '1234\nshop-2\n');
  assert.is((await run(context, 'merchants', tenantId)).out, '1234\nshop-2\n');
  const forgotten = await run(context, 'merchants', tenantId, '--any');
  assert.equal([forgotten.code, forgotten.out], [0, '']);
  const wrong = await run(context, 'merchants', tenantId, 'a,b');
  assert.equal([wrong.code, wrong.err], [1, "holdfast: 'a,b' is not the id of a merchant\n"]);
});

line.run();
