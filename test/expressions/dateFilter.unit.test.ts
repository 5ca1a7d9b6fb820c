import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkVectors, failure, render } from '#test/expressions/support/render.ts';

const dates = suite('date filter');

dates('given dates in all forms, when formatted, then they are told in UTC', () => {
  checkVectors([
    ['2030-02-03', "data | date: '%Y-%m-%d'", '2030-02-03'],
    ['2030-02-03T23:30:00-07:00', "data | date: '%Y-%m-%d %H:%M'", '2030-02-04 06:30'],
    ['2030-02-03T23:30:00+0530', "data | date: '%T'", '18:00:00'],
    ['2030-02-03 04:05', "data | date: '%H:%M:%S.%L %z %Z'", '04:05:00.000 +0000 UTC'],
    ['2030-02-03T04:05:06.789123Z', "data | date: '%s %L'", '1896321906 789'],
    [0, "data | date: '%F %T'", '1970-01-01 00:00:00'],
    ['1896321906', "data | date: '%F'", '2030-02-03'],
    [null, "data | date: '%F'", null],
  ]);
});

dates('given every directive, when formatted, then each gives its part', () => {
  const parts = {
    '%a %A': 'Sun Sunday',
    '%b %B %h': 'Feb February Feb',
    '%C %y %Y': '20 30 2030',
    '%d %e %-d %_d': '03  3 3  3',
    '%H %I %k %l %-l %0l': '16 04 16  4 4 04',
    '%j %u %w': '034 7 0',
    '%p %P %^a %^B': 'PM pm SUN FEBRUARY',
    '100%%': '100%',
  };
  for (const [format, result] of Object.entries(parts)) {
    assert.is(render(`{{ data | date: '${format}' }}`, '2030-02-03T16:05:06Z'), result, format);
  }
});

dates('given what is no date, when formatted, then it fails and is not shown', () => {
  const values = [
    '4242-4242',
    '123-45-6789',
    'now',
    'today',
    '2030-02-30',
    '2030-13-01',
    '2030-01-01T25:00Z',
    '',
    true,
  ];
  for (const value of values) {
    assert.is(
      failure("{{ data | date: '%Y' }}", value).reason,
      'date: the value is not a date',
      String(value),
    );
  }
  failure("{{ data | date: '%Y' }}", { year: 2030 });
  failure("{{ data | date: '%Y' }}", 1e300);
});

dates('given widths, unknown directives or a long format, when parsed, then it is refused', () => {
  for (const format of ['%9999999999d', '%10Y', '%Q', '%Ey']) {
    assert.match(failure(`{{ data | date: '${format}' }}`, '2030-02-03').reason, 'there is no');
  }
  failure(`{{ data | date: '${'%B'.repeat(51)}' }}`, '2030-02-03');
});

dates.run();
