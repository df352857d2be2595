/** A video that cannot be shown, because of its file. The message is for its owner (MEDIA-12). */
export class VideoProblem extends Error {
  override readonly name = 'VideoProblem';

  /** `detail` is for operators. */
  constructor(
    message: string,
    readonly detail: string,
  ) {
    super(message);
  }
}

/** A program has looked at a file and ended with an error of its own. */
export class ProgramFailed extends Error {
  override readonly name = 'ProgramFailed';
}

/** A program came to one of its limits, or crashed. */
export class ProgramStopped extends Error {
  override readonly name = 'ProgramStopped';
}
