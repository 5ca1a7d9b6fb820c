import { testHostileFiles } from '#test/updater/support/hostileFiles.ts';

testHostileFiles();
