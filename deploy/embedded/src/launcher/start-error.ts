import { StartError } from '@pulso/platform/process/start-error';

export { StartError };

/** The one-line error for a failure of the file system at `path`; other errors are returned unchanged. */
export function explainFileError(error: unknown, path: string): Error {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new StartError(`PULSO_DATA_DIR: the disk of ${path} is full.`);
    case 'EROFS':
      return new StartError(`PULSO_DATA_DIR: ${path} is on a read-only disk.`);
    case 'EACCES':
    case 'EPERM':
      return new StartError(`PULSO_DATA_DIR: ${path} is not writable for this user.`);
    case 'ENOENT':
      return new StartError(`PULSO_DATA_DIR: ${path} cannot be created.`);
    case 'ENOTDIR':
    case 'EEXIST':
      return new StartError(`PULSO_DATA_DIR: ${path} is not a directory.`);
    default:
      return error instanceof Error ? error : new Error(String(error));
  }
}
