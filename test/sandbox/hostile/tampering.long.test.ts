import { tampering } from '#test/sandbox/hostile/programs/tampering.ts';
import { testPrograms } from '#test/sandbox/hostile/support/suite.ts';

testPrograms('tampering', tampering, { seconds: 10 });
