import { floods } from '#test/sandbox/hostile/programs/floods.ts';
import { testPrograms } from '#test/sandbox/hostile/support/suite.ts';

testPrograms('floods', floods);
