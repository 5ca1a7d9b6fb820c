import { hunting } from '#test/sandbox/hostile/programs/hunting.ts';
import { testPrograms } from '#test/sandbox/hostile/support/suite.ts';

testPrograms('hunting', hunting);
