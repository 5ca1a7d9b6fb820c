import { bombs } from '#test/sandbox/hostile/programs/bombs.ts';
import { testPrograms } from '#test/sandbox/hostile/support/suite.ts';

testPrograms('bombs', bombs);
