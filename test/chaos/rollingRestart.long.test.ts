import { testRollingRestart } from '#test/chaos/suites/rollingRestart.ts';

testRollingRestart(2);
