import { StartError } from '@pulso/platform/start/start-error';

export { StartError };

/** The one line for a failure of the file system at `path`; anything else stays what it is. */
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
