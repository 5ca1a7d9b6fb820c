const mostAttempts = 10;

/**
 * A record as its stream tells, with what the vault keeps of it: for when the view is behind, or a payload was
 * replaced under our eyes. Undefined: it is gone.
 */
export async function latest<Live, Complete>(
  load: () => Promise<Live | undefined>,
  complete: (record: Live) => Promise<Complete | undefined>,
): Promise<Complete | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const record = await load();
    if (record === undefined) return undefined;
    const found = await complete(record);
    // Replaced again between the two: whoever changes it so often must not make it seem gone.
    if (found !== undefined || attempt === mostAttempts) return found;
  }
}
