import { testEventStore } from '#test/chaos/suites/eventStore.ts';

testEventStore(2);
