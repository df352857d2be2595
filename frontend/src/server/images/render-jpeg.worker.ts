import { ImageError, renderJpeg } from './render-jpeg.js';
import type { ImageFault, Jpeg } from './render-jpeg.js';

/** The answer to a file. */
export type Rendered = { jpeg: Jpeg } | { fault: ImageFault };

/** What this file needs of a worker's scope: the types of the page are those of a window. */
interface WorkerScope {
  onmessage: (event: MessageEvent<Blob>) => void;
  postMessage: (answer: Rendered) => void;
}

const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data: file }) =>
  void renderJpeg(file).then(
    (jpeg) => scope.postMessage({ jpeg }),
    (error: unknown) => scope.postMessage({ fault: error instanceof ImageError ? error.reason : 'load' }),
  );
