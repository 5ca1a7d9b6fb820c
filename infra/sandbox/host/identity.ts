/**
 * No user of a system has these, nor those that containers map. Each host has one of its own, by the number of its
 * process, so that none can signal or trace another.
 */
const firstUser = 600_000_000;
/** Where so few users are mapped that those do not exist: hosts may then share one, though seldom. */
const firstMapped = 54_400;
const mapped = 11_000;

/** Gives up root, where it was that: for a user that nothing belongs to. */
export function dropPrivileges(): void {
  if (process.getuid?.() !== 0) return;
  process.setgroups?.([]);
  try {
    become(firstUser + process.pid);
  } catch {
    become(firstMapped + (process.pid % mapped));
  }
}

function become(user: number): void {
  process.setgid?.(user);
  process.setuid?.(user);
}
