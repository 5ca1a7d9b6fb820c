import { loops } from '#test/sandbox/hostile/programs/loops.ts';
import { testPrograms } from '#test/sandbox/hostile/support/suite.ts';

testPrograms('loops', loops);
