import { endings } from '#test/sandbox/hostile/programs/endings.ts';
import { testPrograms } from '#test/sandbox/hostile/support/suite.ts';

testPrograms('endings', endings, { seconds: 10 });
