import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { surprisesIn } from '#test/access/support/matrixRun.ts';
import { seededRandom } from '#src/seededRandom.ts';

const seed = process.env['SEED'] ?? String(Date.now() % 1_000_000_000);
const sampleSize = 120;

const matrix = suite('a sample of the matrix of rights');

matrix('given some cells of the matrix, when they are asked, then nothing surprises', async () => {
  const random = seededRandom(seed);
  const { asked, surprises } = await surprisesIn((cells) =>
    cells.filter(() => random(cells.length) < sampleSize),
  );
  assert.ok(asked > 0);
  assert.equal(surprises, [], `SEED=${seed}`);
});

matrix.run();
