import { TestEnvironment } from 'jest-environment-jsdom';
import { sharedEnvironment } from '../../tools/shared-modules/shared-environment.mjs';

/** jsdom with browser APIs that it lacks: fetch and its classes, abort signals, BroadcastChannel. */
class BrowserEnvironment extends TestEnvironment {
  /** What the app's own modules listen to. They are loaded again for each file, and those of ended files must hear nothing. */
  heard = [];
  /** The first animation frame and the first timer that may still be under way. */
  nextFrame = 0;
  nextTimer = 0;

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
    this.#remember(this.global);
    this.#remember(this.global.document);
  }

  /** Makes `target` remember what is listened to outside of packages, whose modules stay. */
  #remember(target) {
    const add = target.addEventListener.bind(target);
    target.addEventListener = (...options) => {
      if (!callerPlace().includes('/node_modules/')) this.heard.push([target, options]);
      return add(...options);
    };
  }

  /** Leaves an empty page at `/`, as the first file has found it. */
  async clear() {
    const { document, localStorage, sessionStorage, history } = this.global;
    for (const [target, [type, listener, options]] of this.heard.splice(0))
      target.removeEventListener(type, listener, options);
    await this.#untilReactRests();
    this.#forgetWhatWaits();
    document.body.replaceChildren();
    document.head.replaceChildren();
    for (const element of [document.documentElement, document.body])
      for (const name of element.getAttributeNames()) element.removeAttribute(name);
    localStorage.clear();
    sessionStorage.clear();
    for (const pair of document.cookie.split('; '))
      document.cookie = `${pair.split('=')[0]}=; expires=Thu, 01 Jan 1970 00:00:00 GMT; path=/`;
    // Not by replaceState: what is ahead is dropped, so the next entry makes the history longer.
    history.pushState(null, '', '/');
  }

  /** What an ended file has asked for later is for a page that is gone, and would keep the process. */
  #forgetWhatWaits() {
    const { global } = this;
    const lastFrame = global.requestAnimationFrame(() => undefined);
    for (; this.nextFrame <= lastFrame; this.nextFrame += 1) global.cancelAnimationFrame(this.nextFrame);
    const lastTimer = global.setTimeout(() => undefined, 0);
    for (; this.nextTimer <= lastTimer; this.nextTimer += 1) global.clearTimeout(this.nextTimer);
  }

  /** React's scheduler stays, and works in turns of the event loop. If one of them were lost, it would never work again. */
  async #untilReactRests() {
    const turn = () => new Promise((resolve) => void this.global.setTimeout(resolve, 0));
    await turn().then(turn).then(turn);
  }
}

export default sharedEnvironment(BrowserEnvironment, (environment) => environment.clear());

/** The line of the stack for the code that has called the caller of this function. */
function callerPlace() {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 3;
  const [, , , place = ''] = new Error('caller').stack.split('\n');
  Error.stackTraceLimit = stackTraceLimit;
  return place;
}

/** Node's, because its fetch does not know that of jsdom; the fields of a form are read by jsdom's. */
const sendableForm = (Form) =>
  class extends FormData {
    constructor(form) {
      super();
      if (form) for (const [name, value] of new Form(form)) this.append(name, value);
    }
  };
