import { testOutages } from '#test/chaos/suites/outages.ts';

testOutages(['cut off'], 1_000);
