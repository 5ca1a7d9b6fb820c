import { testDiskFull } from '#test/chaos/suites/diskFull.ts';

testDiskFull(3_000);
