/** What an operator did wrong, in one sentence. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** The voice of the command line. */
export const print = {
  line: (text = ''): void => {
    process.stdout.write(`${text}\n`);
  },
  error: (text: string): void => {
    process.stderr.write(`${text}\n`);
  },
  /** Rows under headings, columns as wide as they need to be. */
  table: (headings: readonly string[], rows: readonly (readonly string[])[]): void => {
    const widths = headings.map((heading, column) =>
      Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
    );
    for (const row of [headings, ...rows]) {
      print.line(
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd(),
      );
    }
  },
  /** A line that is written over on a terminal; elsewhere it stays away. */
  progress: (text: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
  },
  progressEnd: (): void => {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  },
};

/** A bar of a fraction from 0 to 1. */
export function bar(fraction: number, width = 30): string {
  const filled = Math.round(Math.min(1, Math.max(0, fraction)) * width);
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${String(Math.floor(fraction * 100)).padStart(3)} %`;
}

/** A size for people. */
export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
