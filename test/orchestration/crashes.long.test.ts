import { defineCrashes } from '#test/orchestration/support/crashScenarios.ts';

defineCrashes([2, 3, 4, 5]);
