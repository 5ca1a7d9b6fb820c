import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withoutNulls } from '#http/presenters/withoutNulls.ts';

const test = suite('http: presenters');

test('given nulls, then those of the answer go, and those inside its members stay', () => {
  const shown = withoutNulls({
    id: 'a',
    mask: null,
    expires_at: undefined,
    data: { a: null, b: [null] },
    zero: 0,
    no: false,
  });
  assert.is(JSON.stringify(shown), '{"id":"a","data":{"a":null,"b":[null]},"zero":0,"no":false}');
});

test.run();
