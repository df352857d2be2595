import { TestEnvironment } from 'jest-environment-jsdom';

/** jsdom with browser APIs that it lacks: fetch and its classes, abort signals, BroadcastChannel. */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, {
      fetch,
      Headers,
      Request,
      Response,
      AbortController,
      AbortSignal,
      structuredClone,
      TextEncoder,
      TextDecoder,
      ReadableStream,
      TransformStream,
      // A real one keeps the process alive, and tests have one tab.
      BroadcastChannel: class {
        postMessage() {}
        close() {}
      },
    });
  }
}
