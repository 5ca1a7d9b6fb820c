import { testRequests } from '#test/fuzz/support/suite.ts';

testRequests(20_000);
