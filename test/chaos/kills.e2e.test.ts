import { testKills } from '#test/chaos/suites/kills.ts';

testKills(1);
