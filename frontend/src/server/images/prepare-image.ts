import { ImageError, renderJpeg } from './render-jpeg.js';
import type { Jpeg } from './render-jpeg.js';
import type { Rendered } from './render-jpeg.worker.js';
import { limitConcurrency } from './limit-concurrency.js';

/** An image as it is sent. Sizes in pixels and bytes; those of the original are only shown. */
export interface PreparedImage extends Jpeg {
  originalName: string;
  originalSize: number;
}

/** No picture takes so long; a worker that the system has ended says nothing. */
const MAX_RENDER_MS = 60_000;

/** The worker cannot be used: no such thing, or its code did not load. */
class NoWorker extends Error {}

/** A decoded photo has some 200 MB on a phone. */
const oneAtATime = limitConcurrency(1);

/**
 * Compresses a chosen image as MEDIA-21 says, beside the page where the browser can. One after the other.
 * @throws ImageError, and the signal's reason.
 */
export async function prepareImage(
  file: Blob & { name?: string },
  signal?: AbortSignal,
): Promise<PreparedImage> {
  const jpeg = await oneAtATime(() => render(file, signal));
  return { ...jpeg, originalName: file.name ?? '', originalSize: file.size };
}

async function render(file: Blob, signal?: AbortSignal): Promise<Jpeg> {
  signal?.throwIfAborted();
  try {
    return await renderInWorker(file, signal);
  } catch (error) {
    if (!(error instanceof NoWorker)) throw error;
  }
  const jpeg = await renderJpeg(file);
  signal?.throwIfAborted();
  return jpeg;
}

async function renderInWorker(file: Blob, signal?: AbortSignal): Promise<Jpeg> {
  if (typeof Worker === 'undefined' || typeof OffscreenCanvas === 'undefined') throw new NoWorker();
  const worker = new Worker(new URL('./render-jpeg.worker.ts', import.meta.url), { type: 'module' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<Jpeg>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Rendered>) =>
        'jpeg' in data ? resolve(data.jpeg) : reject(new ImageError(data.fault));
      worker.onerror = () => reject(new NoWorker());
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      timer = setTimeout(() => reject(new ImageError('load')), MAX_RENDER_MS);
      worker.postMessage(file);
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
