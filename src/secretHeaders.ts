/**
 * Names of headers that hold secrets by what people call them. Fetch drops `Authorization` alone; here programs set
 * cookies, and keys of providers in headers of their own.
 */
const secretName =
  /^(?!idempotency-key$).*(?:auth|cookie|key|token|secret|password|passwd|credential|session|signature)/i;

/** Whether a header may not follow a redirect to another origin. */
export const isSecretHeader = (name: string): boolean => secretName.test(name);
