import { errno } from '#src/errno.ts';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left',
  EDQUOT: 'no space left',
  EIO: 'the disk does not answer',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'its file system does not let it be made',
  ENOTDIR: 'a part of the path is a file',
};

/** Why the file system refused to make or write something, in words; undefined for any other error. */
export function fileSystemReason(error: unknown): string | undefined {
  const code = errno(error);
  // A socket may be missing, or closed to us, too.
  if (code === undefined || callOf(error) === 'connect') return undefined;
  return reasons[code];
}

/** Where it refused; undefined when it does not say, as of a file that was open already. */
export const refusedPath = (error: unknown): string | undefined =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;

/** The call of the system that failed. */
export const callOf = (error: unknown): unknown =>
  error instanceof Error && 'syscall' in error ? error.syscall : undefined;
