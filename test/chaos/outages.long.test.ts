import { testOutages } from '#test/chaos/suites/outages.ts';

testOutages(['paused', 'cut off'], 3_000);
