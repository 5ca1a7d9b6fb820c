/** Values of Stripe's forms: nested objects become brackets in names, lists become numbered ones. */
export type FormValue =
  string | number | boolean | undefined | readonly FormValue[] | { readonly [name: string]: FormValue };
export type Form = Readonly<Record<string, FormValue>>;

/** `{ card: { exp_month: 8 } }` is `card[exp_month]=8`. What is `undefined` is left out. */
export function encodeForm(form: Form): string {
  const fields = Object.entries(form).flatMap(([name, value]) => fieldsOf(name, value));
  return new URLSearchParams(fields).toString();
}

function fieldsOf(name: string, value: FormValue): [string, string][] {
  if (value === undefined) return [];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, each]) => fieldsOf(`${name}[${key}]`, each as FormValue));
}
