import sharp from 'sharp';

/** The parts of an upload's form; those that are not given are left out. */
export interface Form {
  purpose?: string;
  originalName?: string;
  originalSize?: string;
  file?: Uint8Array;
}

export function formOf({ purpose = 'post', originalName, originalSize, file }: Form): FormData {
  const form = new FormData();
  form.set('purpose', purpose);
  if (originalName !== undefined) form.set('originalName', originalName);
  if (originalSize !== undefined) form.set('originalSize', originalSize);
  if (file) form.set('file', new Blob([file as Uint8Array<ArrayBuffer>]), 'a.jpg');
  return form;
}

export function aPicture(width = 400, height = 300): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: { r: 200, g: 80, b: 40 } } })
    .jpeg()
    .toBuffer();
}

/** An answer's status and JSON. */
export const statusAndJson = async (response: Response) => [response.status, await response.json()] as const;
