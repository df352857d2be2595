/** What a file says by its structure of the picture in it, before anything is decoded. */
export interface Shape {
  width: number;
  height: number;
  /** Bytes of the picture that the decoder keeps until it is done, beside some rows. */
  heldBytes: number;
  /** What of the file the decoder is to read. */
  bytes: Buffer;
}
