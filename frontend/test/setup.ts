import { configure } from '@testing-library/dom';

// A page's code is compiled when a test first shows it; on a busy machine that takes longer than the default of 1 s.
// Below Jest's own limit, so that the failure says what was missing.
configure({ asyncUtilTimeout: 60_000 });

// Browser APIs that Mantine and the app use and jsdom lacks.
globalThis.matchMedia ??= ((media: string) => ({
  matches: false,
  media,
  onchange: null,
  addEventListener() {},
  removeEventListener() {},
  addListener() {},
  removeListener() {},
  dispatchEvent: () => false,
})) as typeof globalThis.matchMedia;

globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

globalThis.IntersectionObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
} as unknown as typeof IntersectionObserver;

// jsdom has no layout to scroll.
if (globalThis.Element && !('scrollIntoView' in Element.prototype))
  Object.assign(Element.prototype, { scrollIntoView() {} });

// jsdom has <dialog> without its modal methods.
const dialog = globalThis.HTMLDialogElement?.prototype;
if (dialog && !('showModal' in dialog)) {
  Object.assign(dialog, {
    showModal(this: HTMLDialogElement) {
      this.open = true;
    },
    close(this: HTMLDialogElement) {
      this.open = false;
      this.dispatchEvent(new Event('close'));
    },
  });
}

// jsdom draws nothing, and says so on each call.
const canvas = globalThis.HTMLCanvasElement?.prototype;
if (canvas) Object.assign(canvas, { getContext: () => null });

if (globalThis.document && !document.fonts) {
  Object.defineProperty(document, 'fonts', { value: new EventTarget() });
}

// jsdom has no object URLs; a component may give one back after its test has ended.
URL.createObjectURL ??= () => 'blob:none';
URL.revokeObjectURL ??= () => undefined;
