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
      FormData: sendableForm(this.global.FormData),
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

/** Node's, because its fetch does not know that of jsdom; the fields of a form are read by jsdom's. */
const sendableForm = (Form) =>
  class extends FormData {
    constructor(form) {
      super();
      if (form) for (const [name, value] of new Form(form)) this.append(name, value);
    }
  };
