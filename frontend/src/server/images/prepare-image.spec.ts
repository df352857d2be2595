import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { aBlob, aFile as aNamedFile } from '../../../test/a-file.js';
import { prepareImage } from './prepare-image.js';
import { ImageError } from './render-jpeg.js';

/** What the fakes draw, and what they are asked for. */
let source: { width: number; height: number };
let bytes: string;
let decoded: unknown[];
let opened: number;
let mostOpened: number;
let drawn: unknown[];

const replaced: Record<string, unknown> = {};
function replace(name: string, value: unknown): void {
  replaced[name] ??= Reflect.get(globalThis, name);
  Reflect.set(globalThis, name, value);
}

class FakeCanvas {
  constructor(
    readonly width: number,
    readonly height: number,
  ) {}
  getContext() {
    return {
      fillRect: (...box: unknown[]) => drawn.push(['white', ...box]),
      drawImage: (_picture: unknown, ...box: unknown[]) => drawn.push(['picture', ...box]),
    };
  }
  async convertToBlob({ type, quality }: { type: string; quality: number }) {
    drawn.push([type, quality]);
    return aBlob(bytes, type);
  }
}

beforeEach(() => {
  source = { width: 4000, height: 3000 };
  [bytes, decoded, opened, mostOpened, drawn] = ['small', [], 0, 0, []];
  replace('createImageBitmap', async (_file: Blob, options: unknown) => {
    decoded.push(options);
    opened += 1;
    mostOpened = Math.max(mostOpened, opened);
    await Promise.resolve();
    return { ...source, close: () => (opened -= 1) };
  });
  replace('OffscreenCanvas', FakeCanvas);
});
afterEach(() => {
  for (const [name, value] of Object.entries(replaced)) Reflect.set(globalThis, name, value);
  jest.restoreAllMocks();
});

const aFile = (type?: string, content?: string) => aNamedFile('rower.png', type, content);

// Rule: MEDIA-21
describe('prepareImage without workers', () => {
  it.each([
    { from: [4000, 3000], to: [1440, 1080] },
    { from: [3000, 4000], to: [810, 1080] },
    { from: [5000, 100], to: [1920, 38] },
    { from: [8000, 1], to: [1920, 1] },
    { from: [640, 480], to: [640, 480] },
  ])('brings $from to $to, on white, as JPEG of 0.8', async ({ from, to }) => {
    source = { width: from[0]!, height: from[1]! };
    const { blob, width, height, originalName, originalSize } = await prepareImage(aFile());
    expect({ width, height, type: blob.type }).toEqual({ width: to[0], height: to[1], type: 'image/jpeg' });
    expect({ originalName, originalSize }).toEqual({ originalName: 'rower.png', originalSize: 15 });
    expect(drawn).toEqual([
      ['white', 0, 0, ...to],
      ['picture', 0, 0, ...to],
      ['image/jpeg', 0.8],
    ]);
  });

  it('turns the picture as the camera says, and gives it back', async () => {
    await prepareImage(aFile());
    expect(decoded).toEqual([{ imageOrientation: 'from-image' }]);
    expect(opened).toBe(0);
  });

  it('keeps a JPEG of our size that would not become smaller', async () => {
    source = { width: 800, height: 600 };
    bytes = 'larger than before';
    const small = aFile('image/jpeg', 'small');
    expect((await prepareImage(small)).blob).toBe(small);
    const png = aFile('image/png', 'small');
    expect((await prepareImage(png)).blob).not.toBe(png);
    source = { width: 8000, height: 6000 };
    expect((await prepareImage(small)).blob).not.toBe(small);
  });

  it('decodes one picture at a time', async () => {
    await Promise.all([1, 2, 3].map(() => prepareImage(aFile())));
    expect({ decoded: decoded.length, mostOpened }).toEqual({ decoded: 3, mostOpened: 1 });
  });

  // Rule: MEDIA-5
  it('says what did not work, and goes on with the next one', async () => {
    replace('createImageBitmap', () => Promise.reject(new Error('broken')));
    await expect(prepareImage(aFile())).rejects.toMatchObject({ name: 'ImageError', reason: 'load' });
    replace('createImageBitmap', async () => ({ ...source, close() {} }));
    jest.spyOn(FakeCanvas.prototype, 'convertToBlob').mockRejectedValue(new Error('full'));
    await expect(prepareImage(aFile())).rejects.toEqual(new ImageError('compress'));
    jest.restoreAllMocks();
    expect(await prepareImage(aFile())).toMatchObject({ width: 1440 });
  });

  it('does nothing for who has left', async () => {
    const left = AbortSignal.abort(new Error('left'));
    await expect(prepareImage(aFile(), left)).rejects.toThrow('left');
    expect(decoded).toEqual([]);
  });

  it('draws on the page’s canvas where there is no other', async () => {
    replace('OffscreenCanvas', undefined);
    const context = { fillRect() {}, drawImage() {} };
    const canvas = HTMLCanvasElement.prototype;
    jest.spyOn(canvas, 'getContext').mockReturnValue(context as never);
    const toBlob = jest.spyOn(canvas, 'toBlob');
    toBlob.mockImplementation((done, type) => done(aBlob('page', type)));
    const { blob } = await prepareImage(aFile());
    expect({ type: blob.type, size: blob.size }).toEqual({ type: 'image/jpeg', size: 4 });
    toBlob.mockImplementation((done) => done(null));
    await expect(prepareImage(aFile())).rejects.toMatchObject({ reason: 'compress' });
  });
});

type Answer = { data: unknown } | 'broken' | 'silent';
let answer: Answer;
let ended: number;
class FakeWorker {
  onmessage: (event: unknown) => void = () => undefined;
  onerror: () => void = () => undefined;
  postMessage() {
    queueMicrotask(() => {
      if (answer === 'broken') this.onerror();
      else if (answer !== 'silent') this.onmessage(answer);
    });
  }
  terminate() {
    ended += 1;
  }
}

describe('prepareImage in a worker', () => {
  beforeEach(() => {
    ended = 0;
    replace('Worker', FakeWorker);
  });

  it('takes what the worker has made, and ends it', async () => {
    const jpeg = { blob: aBlob('made'), width: 3, height: 2 };
    answer = { data: { jpeg } };
    expect(await prepareImage(aFile())).toMatchObject({ ...jpeg, originalName: 'rower.png' });
    expect({ ended, decodedHere: decoded.length }).toEqual({ ended: 1, decodedHere: 0 });
  });

  it('tells its fault', async () => {
    answer = { data: { fault: 'compress' } };
    await expect(prepareImage(aFile())).rejects.toMatchObject({ reason: 'compress' });
    expect(ended).toBe(1);
  });

  it('works in the page where the worker’s code does not load', async () => {
    answer = 'broken';
    expect(await prepareImage(aFile())).toMatchObject({ width: 1440 });
    expect({ ended, decodedHere: decoded.length }).toEqual({ ended: 1, decodedHere: 1 });
  });

  it('ends with its caller', async () => {
    answer = 'silent';
    const leave = new AbortController();
    const prepared = prepareImage(aFile(), leave.signal);
    setTimeout(() => leave.abort(new Error('left')));
    await expect(prepared).rejects.toThrow('left');
    expect(ended).toBe(1);
  });
});
