import { testHostileFiles } from '#test/updater/support/hostileFiles.ts';

// The larger ones, which take the processor for a minute, are long tests.
testHostileFiles(5_000_000);
