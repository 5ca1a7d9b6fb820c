const clock = String.raw`\d{2}:\d{2}:\d{2}`;
/** Source: RFC 9110 §5.6.7. */
const withZone = new RegExp(
  `^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} ${clock} GMT$|^[A-Z][a-z]+day, \\d{2}-[A-Z][a-z]{2}-\\d{2} ${clock} GMT$`,
);
const withoutZone = new RegExp(`^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d ${clock} \\d{4}$`);

/** A date of HTTP, in milliseconds since 1970; undefined: it is none. `Date` by itself takes `40.5` for the year 2040. */
export function httpDateOf(text: string): number | undefined {
  const time = withZone.test(text)
    ? Date.parse(text)
    : withoutZone.test(text)
      ? Date.parse(`${text} GMT`)
      : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
