import { testRequests } from '#test/fuzz/support/suite.ts';

testRequests(1_000);
