import { hunting } from '#test/sandbox/hostile/programs/hunting.ts';
import { walks } from '#test/sandbox/hostile/programs/walks.ts';
import { testPrograms } from '#test/sandbox/hostile/support/suite.ts';

testPrograms('hunting', [...walks, ...hunting], { seconds: 10 });
