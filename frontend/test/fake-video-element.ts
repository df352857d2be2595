export interface FakeVideoElement {
  /** What each file is from now on: `broken` has no metadata, `blind` no picture. */
  as: (kind: 'whole' | 'broken' | 'blind', duration?: number) => void;
  /** Where pictures were taken, in s. */
  takenAt: number[];
  restore: () => void;
}

/** A browser that reads videos of 1280x720: jsdom loads none. */
export function fakeVideoElement(): FakeVideoElement {
  let kind = 'whole';
  let duration = 12;
  const takenAt: number[] = [];
  const video = HTMLVideoElement.prototype;
  const media = HTMLMediaElement.prototype;
  const canvas = HTMLCanvasElement.prototype;
  const { createObjectURL, revokeObjectURL } = URL;
  const { load } = media;
  const { toBlob } = canvas;
  const define = (target: object, name: string, property: PropertyDescriptor) => {
    const before = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { configurable: true, ...property });
    return () =>
      before ? Object.defineProperty(target, name, before) : Reflect.deleteProperty(target, name);
  };
  const later = (element: unknown, event: string) =>
    setTimeout(() => (element as EventTarget).dispatchEvent(new Event(event)));
  const undo = [
    define(media, 'src', {
      set() {
        later(this, kind === 'broken' ? 'error' : 'loadedmetadata');
      },
    }),
    define(media, 'duration', { get: () => duration }),
    define(media, 'currentTime', {
      set(at: number) {
        takenAt.push(at);
        later(this, 'seeked');
      },
    }),
    define(video, 'videoWidth', { get: () => 1280 }),
    define(video, 'videoHeight', { get: () => 720 }),
  ];
  media.load = () => undefined;
  canvas.toBlob = (taken) => taken(kind === 'blind' ? null : new Blob(['jpeg'], { type: 'image/jpeg' }));
  URL.createObjectURL = () => 'blob:poster';
  URL.revokeObjectURL = () => undefined;
  return {
    as: (next, length = 12) => void ([kind, duration] = [next, length]),
    takenAt,
    restore: () => {
      for (const one of undo) one();
      Object.assign(media, { load });
      Object.assign(canvas, { toBlob });
      Object.assign(URL, { createObjectURL, revokeObjectURL });
    },
  };
}
