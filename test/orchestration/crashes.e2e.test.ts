import { defineCrashes } from '#test/orchestration/support/crashScenarios.ts';

defineCrashes([1]);
