import { StartupError } from '#src/startupError.ts';

/** Another running process owns the data directory. */
export class DataDirectoryInUse extends StartupError {
  override readonly name = 'DataDirectoryInUse';
  /** Process id of the owner; undefined when it could not be learnt. */
  readonly pid: number | undefined;

  constructor(path: string, pid: number | undefined) {
    const owner = pid === undefined ? 'another Holdfast' : `the Holdfast with process id ${pid}`;
    super(`the data directory ${path} is in use by ${owner}`);
    this.pid = pid;
  }
}
