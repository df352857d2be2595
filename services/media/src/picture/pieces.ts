/** A file that is no picture which we take: broken, in too many pieces, or more than the decoder may hold. */
export class UnreadablePicture extends Error {
  override readonly name = 'UnreadablePicture';
}

/** Counts the pieces that are looked at of one file: work grows with their number, however few bytes each has (MEDIA-3). */
export class Pieces {
  count = 0;

  constructor(private readonly most: number) {}

  /** Throws UnreadablePicture beyond the most. */
  next(): void {
    this.count += 1;
    if (this.count > this.most) throw new UnreadablePicture('it is in too many pieces');
  }
}
