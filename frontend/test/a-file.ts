import { Blob as NodeBlob, File as NodeFile } from 'node:buffer';

/** A file that Node's fetch can send: it does not know those of jsdom. */
export const aFile = (name = 'rower.png', type = 'image/png', content = 'a long original'): File =>
  new NodeFile([content], name, { type }) as unknown as File;

export const aBlob = (content = 'jpeg', type = 'image/jpeg'): Blob =>
  new NodeBlob([content], { type }) as unknown as Blob;
