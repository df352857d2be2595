/**
 * Why a file is not read: no zip; one that is cut or changed; one with a password; a zip without our document; a document that is
 * too large, not whole, of another format, or of a version that this page does not know; an archive of another account than the one
 * whose import was begun. `gone`: the file was moved or changed since
 * it was chosen.
 */
export type ArchiveFault =
  | 'noZip'
  | 'broken'
  | 'encrypted'
  | 'noDocument'
  | 'tooLarge'
  | 'incomplete'
  | 'otherFormat'
  | 'otherVersion'
  | 'otherSource'
  | 'gone';

export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';

  constructor(
    readonly fault: ArchiveFault,
    options?: ErrorOptions,
  ) {
    super(fault, options);
  }
}
