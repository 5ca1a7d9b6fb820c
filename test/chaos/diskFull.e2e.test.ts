import { testDiskFull } from '#test/chaos/suites/diskFull.ts';

testDiskFull(1_000);
