export const requestColumns = ['token', 'expiration_year', 'expiration_month', 'merchant_id'] as const;

const header = requestColumns.join(',');

/**
 * Why no row of a file is processed. Rows count from 1 after the header, which is row 0. The sentences say nothing of
 * what is in the file, because they are shown, logged and kept.
 */
const faults = {
  empty: () => 'The file is empty.',
  absent: () => 'The file is gone: it was removed from the storage.',
  too_large: () => 'The file is larger than 30 MB.',
  no_header: () => `The header row is missing: the first row must be '${header}'.`,
  wrong_header: () => `The header row is wrong: it must be '${header}'.`,
  encoding: () => 'The file is not encoded in UTF-8.',
  columns: (row: number, columns: number) =>
    `${nameOf(row)} has ${columns} ${columns === 1 ? 'column' : 'columns'} instead of ${requestColumns.length}.`,
  endless_row: (row: number) => `${nameOf(row)} has millions of columns, or a quote that is not closed.`,
  open_quote: (row: number) => `${nameOf(row)} has a quote that is not closed.`,
  stray_quote: (row: number) => `${nameOf(row)} has a quote in the wrong place.`,
} as const;

const nameOf = (row: number): string => (row === 0 ? 'The header row' : `Row ${row}`);

/** The request file cannot be processed as a whole; the message is for whoever made it. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile';
  readonly fault: keyof typeof faults;
  constructor(fault: keyof typeof faults, row = 0, columns = 0) {
    super(faults[fault](row, columns));
    this.fault = fault;
  }
}
