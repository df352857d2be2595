import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { aFile } from '../../../../test/a-file.js';
import { aSession } from '../../../../test/a-post.js';
import { anImage } from '../../../../test/an-image.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { fakePictures } from '../../../../test/fake-pictures.js';
import type { FakePictures } from '../../../../test/fake-pictures.js';
import { session } from '../../../server/session/session.js';
import type { DraftImage } from '../post-fields.js';
import { PhotoList } from './photo-list.js';
import type { PhotoListOptions } from './photo-list.js';

const UPLOAD = 'POST /api/media/images';
const draft = (id: string): DraftImage => ({ id, alt: '', caption: '', width: 640, height: 480 });

let gateway: FakeGateway;
let pictures: FakePictures;
let ends: (() => void)[];
/** What the list has told. */
let told: { images: string[][]; busy: boolean[]; stored: number; expired: number[]; notFreed: number };
/** Answers to the uploads that are under way, in their order. */
let answers: ((answer: unknown) => void)[];

beforeEach(() => {
  gateway = fakeGateway();
  pictures = fakePictures();
  ends = [];
  answers = [];
  told = { images: [], busy: [], stored: 0, expired: [], notFreed: 0 };
  gateway.on(UPLOAD, ({ signal }) => {
    const answer = new Promise((resolve) => answers.push(resolve));
    return Promise.race([
      answer,
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
    ]);
  });
});
afterEach(() => {
  for (const end of ends) end();
  pictures.restore();
  jest.restoreAllMocks();
  session.forceSignOut();
});

function open(options: Partial<PhotoListOptions> = {}): PhotoList {
  const list = new PhotoList({
    images: [],
    onChange: (images) => told.images.push(images.map(({ id }) => id)),
    onBusy: (busy) => told.busy.push(busy),
    onStored: () => (told.stored += 1),
    onExpired: (count) => told.expired.push(count),
    onNotFreed: () => (told.notFreed += 1),
    ...options,
  });
  ends.push(list.stay());
  return list;
}

const files = (n: number) => Array.from({ length: n }, (_, index) => aFile(`${index}.png`));
const states = (list: PhotoList) => list.getShown().photos.map(({ status }) => status);
const keyAt = (list: PhotoList, index: number) => list.getShown().photos[index]!.key;
const uploads = () => gateway.calls.filter((call) => call === UPLOAD).length;
const calls = (method: string) => gateway.calls.filter((call) => call.startsWith(method));
const freeing = (id: string, answer: () => unknown = () => new Response(null, { status: 204 })) =>
  gateway.on(`DELETE /api/media/${id}`, answer);

// Rule: UI-18, LIMIT-10
describe('photos that are chosen', () => {
  it('are uploaded at once, in order, two at a time', async () => {
    const list = open();
    list.choose(files(3));
    expect({ states: states(list), isReady: list.isReady() }).toEqual({
      states: ['processing', 'processing', 'processing'],
      isReady: false,
    });
    await waitFor(() => expect(states(list)).toEqual(['uploading', 'uploading', 'uploading']));
    expect(uploads()).toBe(2);
    answers[0]!(anImage({ id: 'a' }));
    await waitFor(() => expect(uploads()).toBe(3));
    expect(states(list)).toEqual(['ready', 'uploading', 'uploading']);
    answers[2]!(anImage({ id: 'c' }));
    await waitFor(() => expect(told.images.at(-1)).toEqual(['a', 'c']));
    answers[1]!(anImage({ id: 'b' }));
    await waitFor(() => expect(told.images.at(-1)).toEqual(['a', 'b', 'c']));
    expect(list.isReady()).toBe(true);
    expect({ busy: told.busy, stored: told.stored }).toEqual({ busy: [true, false], stored: 3 });
  });

  it('take what the server says of their size', async () => {
    const list = open();
    list.choose(files(1));
    await waitFor(() => expect(answers).toHaveLength(1));
    expect(list.getShown().photos[0]).toMatchObject({ width: 640, height: 480 });
    answers[0]!(anImage());
    await waitFor(() => expect(list.getShown().photos[0]).toMatchObject({ width: 1920, height: 1080 }));
  });

  it('say why one failed, and go on with it when asked to', async () => {
    const list = open();
    list.choose([aFile('bad.png', 'image/png', 'broken'), aFile()]);
    await waitFor(() => expect(states(list)).toEqual(['failed', 'uploading']));
    expect(list.getShown().photos[0]!.failure).toMatchObject({ reason: 'load' });
    answers[0]!(problem(413, 'quota-exceeded'));
    await waitFor(() => expect(states(list)).toEqual(['failed', 'failed']));
    expect(list.isReady()).toBe(false);
    list.retry(keyAt(list, 1));
    await waitFor(() => expect(answers).toHaveLength(2));
    answers[1]!(anImage());
    await waitFor(() => expect(states(list)).toEqual(['failed', 'ready']));
  });

  // Rule: UI-53
  it('that failed without a network go on when it is back', async () => {
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    gateway.on(UPLOAD, () => {
      throw new TypeError('Failed to fetch');
    });
    const list = open();
    list.choose(files(1));
    await waitFor(() => expect(states(list)).toEqual(['failed']));
    gateway.on(UPLOAD, () => anImage());
    window.dispatchEvent(new Event('online'));
    await waitFor(() => expect(states(list)).toEqual(['ready']));
  });

  it('are moved and described', async () => {
    const list = open({ images: [draft('a'), draft('b'), draft('c')] });
    list.move('a', 2);
    expect(told.images.at(-1)).toEqual(['b', 'c', 'a']);
    list.describe('c', { alt: 'A rower' });
    expect(list.getShown().photos[1]).toMatchObject({ id: 'c', alt: 'A rower', caption: '' });
    expect(told.images).toHaveLength(2);
  });
});

// Rule: MEDIA-14
describe('a photo that is removed', () => {
  it('is deleted, and its room is free', async () => {
    freeing('a');
    const list = open({ images: [draft('a'), draft('b')] });
    list.remove('a');
    expect(told.images).toEqual([['b']]);
    await waitFor(() => expect(told.stored).toBe(1));
    expect(calls('DELETE')).toEqual(['DELETE /api/media/a']);
  });

  it.each([
    ['gone', () => problem(404, 'not-found')],
    ['of another post', () => problem(409, 'media-attached')],
  ])('and is %s tells nothing', async (_what, answer) => {
    freeing('a', answer);
    open({ images: [draft('a')] }).remove('a');
    await waitFor(() => expect(told.stored).toBe(1));
    expect(told.notFreed).toBe(0);
  });

  it('and cannot be deleted says so', async () => {
    freeing('a', () => problem(500, 'internal'));
    open({ images: [draft('a')] }).remove('a');
    await waitFor(() => expect(told.notFreed).toBe(1));
  });

  // Rule: POST-5
  it('stays on the server where it is the post’s', async () => {
    const list = open({ images: [draft('a'), draft('b')], ofPost: [anImage({ id: 'a' })] });
    freeing('b');
    list.remove('a');
    list.remove('b');
    await waitFor(() => expect(told.stored).toBe(1));
    expect(calls('DELETE')).toEqual(['DELETE /api/media/b']);
  });

  it('is not uploaded any more', async () => {
    const list = open();
    list.choose(files(3));
    await waitFor(() => expect(answers).toHaveLength(2));
    for (const key of [2, 0].map((index) => keyAt(list, index))) list.remove(key);
    answers[1]!(anImage());
    await waitFor(() => expect(states(list)).toEqual(['ready']));
    expect({ uploads: uploads(), deletions: calls('DELETE') }).toEqual({ uploads: 2, deletions: [] });
  });

  it('is deleted where its upload arrived all the same', async () => {
    freeing('late');
    gateway.on(UPLOAD, () => new Promise((resolve) => answers.push(resolve)));
    const list = open();
    list.choose(files(1));
    await waitFor(() => expect(answers).toHaveLength(1));
    list.remove(keyAt(list, 0));
    answers[0]!(anImage({ id: 'late' }));
    await waitFor(() => expect(calls('DELETE')).toEqual(['DELETE /api/media/late']));
    expect(told.images.flat()).toEqual([]);
  });
});

// Rule: UI-41
describe('the photos of a draft that is opened again', () => {
  it('get fresh addresses; one that has expired leaves it, and is told', async () => {
    gateway.on('GET /api/media/a', () => anImage({ id: 'a', thumbnail: '/media/a/thumbnail?fresh' }));
    const list = open({ images: [draft('gone'), draft('a')] });
    await waitFor(() => expect(told.expired).toEqual([1]));
    await waitFor(() => expect(list.getShown().photos[0]!.preview).toBe('/media/a/thumbnail?fresh'));
    expect(told.images).toEqual([['a']]);
  });

  it('stay where the server does not answer', async () => {
    gateway.on('GET /api/media/a', () => problem(503, 'unavailable'));
    const list = open({ images: [draft('a')] });
    await waitFor(() => expect(calls('GET')).toHaveLength(1));
    expect({ states: states(list), isReady: list.isReady() }).toEqual({ states: ['ready'], isReady: true });
  });

  it('of a post have the addresses of the post', () => {
    const list = open({ images: [draft('a')], ofPost: [anImage({ id: 'a', thumbnail: '/small' })] });
    expect(list.getShown().photos[0]!.preview).toBe('/small');
    expect(gateway.calls).toEqual([]);
  });
});

// Rule: MEDIA-17
describe('photos that cannot be attached', () => {
  it('are marked where the server does not have them', async () => {
    gateway.on('GET /api/media/a', () => anImage({ id: 'a' }));
    gateway.on('GET /api/media/b', () => anImage({ id: 'b' }));
    const list = open({ images: [draft('a'), draft('b')] });
    await waitFor(() => expect(list.getShown().photos.every(({ preview }) => preview)).toBe(true));
    gateway.on('GET /api/media/b', () => problem(404, 'not-found'));
    await list.findGone();
    expect({ states: states(list), isReady: list.isReady() }).toEqual({
      states: ['ready', 'gone'],
      isReady: false,
    });
    gateway.on('GET /api/media/a', () => problem(503, 'unavailable'));
    await list.findGone();
    expect(states(list)).toEqual(['ready', 'gone']);
  });

  it('are marked all where another post has them, but for those of the edited post', async () => {
    gateway.on('GET /api/media/b', () => anImage({ id: 'b' }));
    const list = open({ images: [draft('a'), draft('b')], ofPost: [anImage({ id: 'a' })] });
    await list.findGone();
    expect(states(list)).toEqual(['ready', 'gone']);
  });
});

// Rule: UI-18
describe('photos of a page that is left', () => {
  it('are not uploaded any more, and their pictures are given back', async () => {
    const list = open();
    list.choose(files(3));
    await waitFor(() => expect(pictures.held.size).toBe(3));
    const sent = uploads();
    ends.pop()!();
    await waitFor(() => expect(pictures.held.size).toBe(0));
    for (const answer of answers) answer(problem(500, 'internal'));
    expect({ shown: list.count(), sent: uploads() }).toEqual({ shown: 0, sent });
    expect(told.busy.at(-1)).toBe(false);
  });

  it('stay where React only begins its effects again', async () => {
    const list = open({ images: [draft('a')], ofPost: [anImage({ id: 'a' })] });
    const [end] = ends.splice(0);
    end!();
    ends.push(list.stay());
    await new Promise((resolve) => setTimeout(resolve));
    expect(list.count()).toBe(1);
  });

  it('whose session has ended are left out until they are on the server', async () => {
    session.signIn(aSession('token'));
    const list = open({ images: [draft('a')], ofPost: [anImage({ id: 'a' })] });
    list.choose(files(1));
    await waitFor(() => expect(states(list)).toEqual(['ready', 'uploading']));
    session.forceSignOut();
    expect(states(list)).toEqual(['ready']);
  });

  it('and are published go, with their pictures', async () => {
    const list = open();
    list.choose(files(2));
    await waitFor(() => expect(answers).toHaveLength(2));
    answers[0]!(anImage({ id: 'a' }));
    answers[1]!(anImage({ id: 'b' }));
    await waitFor(() => expect(list.isReady()).toBe(true));
    list.keepOnly([draft('b')]);
    expect(list.getShown().photos.map(({ id }) => id)).toEqual(['b']);
    expect(pictures.held.size).toBe(1);
  });
});
