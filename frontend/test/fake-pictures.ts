import { aBlob } from './a-file.js';

export interface FakePictures {
  /** Object URLs that are still held. */
  held: Set<string>;
  /** Gives the browser back what was replaced. */
  restore: () => void;
}

/** A browser that reads pictures: every file is one of 640x480, but those with `broken` in their content. */
export function fakePictures(): FakePictures {
  const held = new Set<string>();
  const { createObjectURL, revokeObjectURL } = URL;
  const scope = globalThis as Record<string, unknown>;
  const { createImageBitmap, OffscreenCanvas } = scope;
  let made = 0;
  URL.createObjectURL = () => {
    const url = `blob:${++made}`;
    held.add(url);
    return url;
  };
  URL.revokeObjectURL = (url) => void held.delete(url);
  scope['createImageBitmap'] = async (file: Blob) => {
    if ((await file.text()).includes('broken')) throw new Error('no picture');
    return { width: 640, height: 480, close() {} };
  };
  scope['OffscreenCanvas'] = class {
    getContext = () => ({ fillRect() {}, drawImage() {} });
    convertToBlob = async () => aBlob();
  };
  const restore = () => {
    Object.assign(URL, { createObjectURL, revokeObjectURL });
    Object.assign(scope, { createImageBitmap, OffscreenCanvas });
  };
  return { held, restore };
}
