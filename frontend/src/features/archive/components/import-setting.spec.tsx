import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Blob as NodeBlob } from 'node:buffer';
import { WritableStream as NodeWritableStream } from 'node:stream/web';
import { aFile } from '../../../../test/a-file.js';
import { aMe, aSession } from '../../../../test/a-post.js';
import { aZip } from '../../../../test/a-zip.js';
import { aDocument, aSourceComment, aSourcePost } from '../../../../test/an-archive.js';
import { fakeGateway, problem } from '../../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../../test/fake-gateway.js';
import { fakeImport } from '../../../../test/fake-import.js';
import type { FakeImport } from '../../../../test/fake-import.js';
import { aPageAround } from '../../../../test/render.js';
import type { Me } from '../../../api/types.js';
import { clearFeedback } from '../../../components/feedback/feedback-store.js';
import { session } from '../../../server/session/session.js';
import { forgetImport, getImport } from '../import-store.js';
import { ImportSetting } from './import-setting.js';

// jsdom's cannot be read. The page is that of the next files, too.
const { Blob } = globalThis;
beforeAll(() => void Object.assign(globalThis, { Blob: NodeBlob, WritableStream: NodeWritableStream }));
afterAll(() => void Object.assign(globalThis, { Blob }));

let gateway: FakeGateway;
let server: FakeImport;
/** What was last asked of the profile. */
let changed: unknown;
beforeEach(() => {
  gateway = fakeGateway();
  server = fakeImport(gateway);
  gateway.on('GET /api/storage', () => ({ quotaBytes: 1000, bytesUsed: 0 }));
  gateway.on('PATCH /api/me', async (request) => {
    changed = await request.json();
    return aMe();
  });
});
afterEach(() => {
  act(() => {
    getImport()?.stop();
    forgetImport();
    clearFeedback();
  });
  cleanup();
  act(() => session.forceSignOut());
});

function show(over: Partial<Me> = {}) {
  const me = aMe({ name: 'Ben', ...over });
  act(() => session.signIn(aSession('token', { user: me })));
  return render(<ImportSetting me={me} />, { wrapper: aPageAround({ path: '/settings' }).wrapper });
}

const choose = (file: Blob) =>
  fireEvent.change(screen.getByLabelText('Choose archive', { selector: 'input' }), {
    target: { files: [file] },
  });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const listed = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const asksBeforeClosing = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

const PROFILE = { name: 'Ana', bio: 'Rower', isCoach: true, specialties: ['rowing'], profileImageId: 'face' };
const anArchiveOf = (services: object, files: Record<string, Uint8Array> = {}) =>
  aZip({
    'pulso-export.json': JSON.stringify(aDocument({ identity: { account: [PROFILE] }, ...services })),
    ...files,
  });
const posts = [
  aSourcePost('p1', { images: [{ id: 'i1' }, { id: 'i2' }] }),
  aSourcePost('p2'),
  aSourcePost('p3', { visibility: 'subscribers' }),
];
const FULL = { posts: { posts, comments: [aSourceComment('c1', 'p1')], likes: [{}, {}] } };
const PICTURES = { 'media/i1.jpg': new Uint8Array(2000), 'media/face.jpg': new Uint8Array(100) };

// Rule: UI-78
describe('an archive that was chosen', () => {
  it('is shown before anything is sent: what it has, what of the profile to take, what will be missing', async () => {
    show({ bio: '' });
    choose(await anArchiveOf(FULL, PICTURES));
    expect(await screen.findByText('Archive of Ana')).toBeTruthy();
    expect(screen.getByText('Made Nov 20, 2026')).toBeTruthy();
    expect(listed(screen.getByRole('list', { name: 'In the archive' }))).toEqual([
      ...['3 posts', '1 comment on your posts', '1 photo or video, 0.1 MB'],
    ]);
    const boxes = () =>
      within(screen.getByRole('group', { name: 'Take from the profile' }))
        .getAllByRole<HTMLInputElement>('checkbox')
        .map(({ labels, checked }) => [labels?.[0]?.textContent, checked]);
    const open = [
      ['Name: Ana', false],
      ['Bio', true],
      ['Picture', true],
      ['Become a Fitness Coach', false],
    ];
    expect(boxes()).toEqual(open);
    // Specialties are a coach's.
    await userEvent.click(screen.getByRole('checkbox', { name: 'Become a Fitness Coach' }));
    expect(boxes().slice(-2)).toEqual([
      ['Become a Fitness Coach', true],
      ['Specialties: rowing', true],
    ]);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Become a Fitness Coach' }));
    expect(boxes()).toEqual(open);
    const notes = () =>
      screen
        .getAllByRole('status')
        .map(({ textContent }) => textContent)
        .filter(Boolean);
    await waitFor(() =>
      expect(notes()).toEqual([
        expect.stringMatching(/^1 post for subscribers only: .* never made public[.]$/),
        '1 photo or video of the posts: missing in the archive.',
        expect.stringMatching(/^Photos and videos have 0.1 MB more than this account has room for/),
      ]),
    );
    expect(gateway.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
    await press('Cancel');
    expect(screen.getByRole('button', { name: 'Choose archive' })).toBe(document.activeElement);
  });

  it('is imported, with its progress, and at the end what was left out', async () => {
    let goOn!: () => void;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    server.intercept((route) =>
      route === 'POST /api/me/import/comments' ? held.then(() => undefined) : undefined,
    );
    const { unmount } = show({ bio: '' });
    choose(await anArchiveOf(FULL, PICTURES));
    await screen.findByText('Archive of Ana');
    await press('Import');
    expect(await screen.findByText('Comments: 0 of 1')).toBeTruthy();
    expect(changed).toEqual({ bio: 'Rower', profileImageId: 'up1' });
    await waitFor(() => expect(screen.getByText('Posts: 2 of 2')).toBeTruthy());
    expect(screen.getByRole('progressbar', { name: 'Progress of the import' })).toBeTruthy();
    expect(asksBeforeClosing()).toBe(true);
    // It goes on while the page is left.
    unmount();
    show();
    expect(screen.getByText('Posts: 2 of 2')).toBeTruthy();
    goOn();
    expect(await screen.findByText('Your archive is imported.')).toBeTruthy();
    expect(asksBeforeClosing()).toBe(false);
    expect(screen.getByText('Comments: 1 of 1')).toBeTruthy();
    const leftOut = screen.getByRole('heading', { name: 'Left out' }).parentElement!;
    expect(listed(leftOut)).toEqual([
      '1 post for subscribers only',
      '1 photo or video missing in the archive',
      '2 likes',
    ]);
    await press('Close');
    expect(await screen.findByText(/^You have imported 2 posts and 1 comment from an archive/)).toBeTruthy();
  });

  it('goes on after it was stopped', async () => {
    server.intercept((route) =>
      route === 'POST /api/me/import/posts' ? problem(429, 'too-many-requests') : undefined,
    );
    show();
    const status = screen.getByRole('status');
    choose(await anArchiveOf(FULL));
    await screen.findByText('Archive of Ana');
    await press('Import');
    const waits = await screen.findByText(/^Pulso takes no more for the moment[.] The import goes on at \d/);
    // The same element: only then screen readers say it.
    expect(waits).toBe(status);
    await press('Stop');
    expect(status.textContent).toBe('');
    expect(screen.getByText('The import is stopped. What is imported stays.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Go on' })).toBe(document.activeElement);
    server.intercept(() => undefined);
    await press('Go on');
    expect(await screen.findByText('Your archive is imported.')).toBeTruthy();
  });

  it('tells why the server takes nothing of the account', async () => {
    server.intercept((route) =>
      route === 'POST /api/me/import'
        ? problem(422, 'unprocessable', { detail: 'This account takes no import.' })
        : undefined,
    );
    show();
    choose(await anArchiveOf(FULL));
    await screen.findByText('Archive of Ana');
    await press('Import');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'The import has stopped: something went wrong. What is imported stays. Pulso says: This account takes no import.',
    );
  });

  it('is not imported into an account with posts', async () => {
    server.intercept((route) =>
      route === 'POST /api/me/import' ? problem(409, 'account-not-empty') : undefined,
    );
    show();
    choose(await anArchiveOf(FULL));
    await screen.findByText('Archive of Ana');
    await press('Import');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'You have posts or comments already. You can import into an account that has no posts and no comments yet.',
    );
  });

  it('is not chosen where the account has posts of its own', async () => {
    show({ stats: { ...aMe().stats!, posts: 1 } });
    expect(await screen.findByText(/^You have posts or comments already/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Choose archive' })).toBeNull();
  });

  it('is refused at once where another one was begun', async () => {
    server.intercept((route) =>
      route === 'GET /api/me/import' ? { sourceUserId: 'somebody', posts: 2, comments: 0 } : undefined,
    );
    show();
    await screen.findByText(/^You have imported 2 posts and 0 comments from an archive/);
    choose(await anArchiveOf(FULL));
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /^You have begun to import another archive/,
    );
    expect(screen.queryByText('Archive of Ana')).toBeNull();
  });

  it('is forgotten when the session ends', async () => {
    server.intercept((route) =>
      route === 'POST /api/me/import/posts' ? problem(429, 'too-many-requests') : undefined,
    );
    show();
    choose(await anArchiveOf(FULL));
    await screen.findByText('Archive of Ana');
    await press('Import');
    await screen.findByText(/^Pulso takes no more/);
    act(() => session.forceSignOut());
    expect(getImport()).toBeUndefined();
    expect(asksBeforeClosing()).toBe(false);
  });
});

// Rule: UI-78
describe('a file that is no archive', () => {
  it.each([
    ['a picture', async () => aFile(), /^This is no archive of Pulso/],
    ['another zip', () => aZip({ 'a.txt': 'a' }), /it has no pulso-export[.]json[.]$/],
    ['a cut one', async () => (await anArchiveOf(FULL)).slice(0, -50), /^This archive is damaged/],
    [
      'one of a later version',
      () => aZip({ 'pulso-export.json': JSON.stringify(aDocument({}, { version: 2 })) }),
      /^This archive comes from a version/,
    ],
  ])('is refused with the reason: %s', async (_name, file, text) => {
    show();
    choose(await file());
    expect((await screen.findByRole('alert')).textContent).toMatch(text);
    expect(screen.getByRole('button', { name: 'Choose archive' })).toBeTruthy();
  });
});
