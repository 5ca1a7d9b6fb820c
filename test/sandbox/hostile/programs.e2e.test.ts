import { bombs } from '#test/sandbox/hostile/programs/bombs.ts';
import { endings } from '#test/sandbox/hostile/programs/endings.ts';
import { floods } from '#test/sandbox/hostile/programs/floods.ts';
import { hunting } from '#test/sandbox/hostile/programs/hunting.ts';
import { loops } from '#test/sandbox/hostile/programs/loops.ts';
import { tampering } from '#test/sandbox/hostile/programs/tampering.ts';
import { walks } from '#test/sandbox/hostile/programs/walks.ts';
import type { HostileProgram } from '#test/sandbox/hostile/support/program.ts';
import { testPrograms } from '#test/sandbox/hostile/support/suite.ts';

/** The first and the last of each kind: all of them are long tests. */
const few = (...kinds: (readonly HostileProgram[])[]): HostileProgram[] =>
  kinds.flatMap((kind) => [...new Set([kind[0], kind.at(-1)])].filter((each) => each !== undefined));

testPrograms('some that take what they can', few(bombs, floods, loops, tampering));
testPrograms('some that look around', few(endings, walks, hunting), { seconds: 10 });
