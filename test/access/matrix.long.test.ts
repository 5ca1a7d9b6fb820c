import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { surprisesIn } from '#test/access/support/matrixRun.ts';

const matrix = suite('every route, caller, permission, transform and entity');

matrix('given every cell of the matrix, when it is asked, then nothing surprises', async () => {
  const { asked, granted, surprises } = await surprisesIn((cells) => cells);
  process.stdout.write(`${asked} cells, ${granted} granted\n`);
  assert.ok(asked > 1_000 && granted > 150, `${asked} cells, ${granted} granted`);
  assert.equal(surprises, []);
});

matrix.run();
