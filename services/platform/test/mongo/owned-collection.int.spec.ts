import type { PostState } from '@pulso/contracts/posts/v1/events';
import { postTopic } from '@pulso/contracts/topics/posts';
import { jest } from '@jest/globals';
import { Schema } from 'mongoose';
import { runInContext, type ConsistencyToken } from '../../src/context/request-context.js';
import { Commits } from '../../src/events/outbox/commits.js';
import { KnownTokens } from '../../src/events/known-tokens.js';
import { MongoDatabase } from '../../src/mongo/mongo-database.js';
import { OWNED_FIELDS, type OwnedDocument, ownedCollection } from '../../src/mongo/owned-collection.js';
import { SCHEMA_OPTIONS } from '../../src/mongo/schema-options.js';
import { aContext } from '../../testing/context.js';
import { aMongoDatabase } from '../../testing/databases.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { aPost } from '../events/recorder.js';

interface NoteDocument extends OwnedDocument {
  author: string;
  text: string;
  views: number;
  marked?: boolean;
}

const fields = { ...OWNED_FIELDS, author: String, text: String, views: Number, marked: Boolean };

class Notes extends ownedCollection({
  name: 'notes',
  schema: new Schema<NoteDocument>(fields, SCHEMA_OPTIONS),
  topic: postTopic,
  toState({ _id, version, author, deletedAt }): PostState {
    if (author === 'nobody') throw new Error('nobody writes notes');
    const id = author === 'impostor' ? 'other' : _id;
    const malformed = author === 'crowd' && { mentionedIds: 5 as never };
    return aPost({ id, version, authorId: author, deleted: deletedAt !== undefined, ...malformed });
  },
  unpublished: ['views', 'marked'],
}) {}

/** The same, with the time of each change by the store's clock. */
class FollowedNotes extends ownedCollection({
  name: 'followed',
  schema: new Schema<NoteDocument>({ ...fields, changedAt: Date }, SCHEMA_OPTIONS),
  topic: postTopic,
  toState: ({ _id, version }): PostState => aPost({ id: _id, version }),
  unpublished: ['views', 'marked'],
}) {}

describe('a collection whose documents are published', () => {
  const { url, drop } = aMongoDatabase('owned');
  let database: MongoDatabase;
  let clock: ManualClock;
  let notes: Notes;
  let followed: FollowedNotes;
  /** The effects of commits, in order. */
  let happened: string[];
  let known: KnownTokens;

  beforeAll(async () => {
    database = await MongoDatabase.open({ url, pool: 5 }, [Notes.declaration, FollowedNotes.declaration]);
    await database.createIndexes();
  });
  afterAll(async () => {
    await database?.close();
    await drop();
  });
  beforeEach(async () => {
    clock = new ManualClock(Date.UTC(2026, 10, 20));
    happened = [];
    known = new KnownTokens();
    const commits = new Commits({ nudge: () => happened.push('nudge') }, known, clock);
    notes = new Notes(database, commits, clock);
    notes.onCommit(({ _id, version }) => happened.push(`heard ${_id} ${version}`));
    followed = new FollowedNotes(database, commits, clock);
    for (const { name } of [notes, followed]) {
      await database.raw<{ _id: string }>(name).deleteMany({ _id: { $gt: '' } });
    }
  });

  const aNote = (_id = 'a') => ({ _id, author: 'ada', text: 'x', views: 0, version: notes.firstVersion() });
  const stored = (_id = 'a') => notes.findOne({ _id });

  /** Runs a request; returns the consistency tokens of its answer. */
  async function written(work: () => Promise<unknown>): Promise<ConsistencyToken[]> {
    const wrote: ConsistencyToken[] = [];
    const trace = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    await runInContext(aContext({ wrote, traceparent: trace }), work);
    return wrote;
  }

  it('stages inserted documents and notifies, listeners first', async () => {
    const note = aNote();
    const wrote = await written(() => notes.insert(note));
    const now = new Date(clock.now());
    expect(await stored()).toMatchObject({ ...note, dirtyAt: now, dirtyVersion: note.version });
    expect((await stored())!.traceparent).toMatch(/^00-1{32}/);
    const mark = { topic: postTopic.name, key: 'a', version: note.version };
    expect(wrote).toEqual([mark]);
    expect(happened).toEqual([`heard a ${note.version}`, 'nudge']);
    expect(known.has(mark)).toBe(true);
    await expect(notes.insert(aNote())).rejects.toMatchObject({ code: 11000 });
    expect(happened).toHaveLength(2);
  });

  it('changes by compare-and-set, and notifies only of changes', async () => {
    const first = await notes.insert(aNote());
    happened = [];
    let changed: NoteDocument | null = null;
    const wrote = await written(async () => {
      changed = await notes.change(first, { set: { text: 'y', marked: true }, unset: ['author'] });
    });
    const version = first.version + 1;
    expect(changed).toMatchObject({ text: 'y', marked: true, version, dirtyVersion: version });
    expect(changed).toEqual(await stored());
    expect(changed).not.toHaveProperty('author');
    expect(wrote).toEqual([{ topic: postTopic.name, key: 'a', version }]);
    expect(happened).toEqual([`heard a ${version}`, 'nudge']);
    expect(await written(() => notes.change(first, { set: { text: 'z' } }))).toEqual([]);
    expect(await stored()).toMatchObject({ text: 'y', version });
    expect(happened).toHaveLength(2);
  });

  it('does not publish a change of unpublished fields, but notifies listeners', async () => {
    const first = await notes.insert(aNote());
    happened = [];
    const version = first.version + 1;
    const wrote = await written(async () => {
      expect(await notes.changeUnpublished(first, { views: 1 })).toMatchObject({ views: 1, version });
      expect(await notes.changeUnpublished(first, { views: 2 })).toBeNull();
      await notes.setUnpublished({ _id: 'a' }, { set: { marked: true } });
      await notes.setUnpublished({ _id: 'a' }, { unset: ['marked'] });
    });
    expect(await stored()).toEqual({ ...first, views: 1, version });
    expect(wrote).toEqual([]);
    expect(happened).toEqual([`heard a ${version}`]);
  });

  it('stores the time of changes by the store’s clock if the schema declares it', async () => {
    const first = await followed.insert(aNote());
    expect(first.changedAt).toBeInstanceOf(Date);
    await expect(followed.insert(aNote())).rejects.toMatchObject({ code: 11000 });
    await followed.setUnpublished({ _id: 'a' }, { set: { marked: true } });
    const counted = await followed.changeUnpublished(first, { views: 1 });
    const changed = await followed.change(counted!, { set: { text: 'y' } });
    expect(changed!.changedAt!.getTime()).toBeGreaterThanOrEqual(first.changedAt!.getTime());
    expect(changed).toMatchObject({ views: 1, text: 'y', marked: true });
    expect(await notes.insert(aNote())).not.toHaveProperty('changedAt');
  });

  it('records an existing document for the caller’s next request', async () => {
    const note = await notes.insert(aNote());
    happened = [];
    expect(await written(async () => notes.recordUnchanged(note))).toEqual([
      { topic: postTopic.name, key: 'a', version: note.version },
    ]);
    expect(happened).toEqual([]);
    const counted = await notes.changeUnpublished(note, { views: 1 });
    expect(await written(async () => notes.recordUnchanged(counted!))).toEqual([
      { topic: postTopic.name, key: 'a', version: note.version },
    ]);
  });

  it.each([
    ['that has no state', { author: 'nobody' }, 'nobody writes notes'],
    ['whose state has another key', { author: 'impostor' }, 'its state has the key other'],
    ['whose state cannot be encoded', { author: 'crowd' }, 'mentionedIds'],
  ])('neither stores nor publishes a document %s', async (_, wrong, reason) => {
    const first = await notes.insert(aNote());
    happened = [];
    const wrote = await written(async () => {
      await expect(notes.insert({ ...aNote('b'), ...wrong })).rejects.toThrow(reason);
      await expect(notes.change(first, { set: wrong })).rejects.toThrow(reason);
    });
    expect(await stored('b')).toBeNull();
    expect(await stored()).toEqual(first);
    expect(wrote).toEqual([]);
    expect(happened).toEqual([]);
  });

  it('makes the state of a change without the fields that it takes away', async () => {
    const removed = await notes.insert({ ...aNote(), deletedAt: new Date(clock.now()) });
    const state = jest.spyOn(postTopic.codec, 'encode');
    await notes.change(removed, { set: { text: 'again' }, unset: ['deletedAt'] });
    expect(state.mock.calls).toMatchObject([[{ id: 'a', version: removed.version + 1, deleted: false }]]);
    state.mockRestore();
  });

  it('refuses fields that the schema does not declare', async () => {
    const note = await notes.insert(aNote());
    const change = { set: { text: 'y', unknown: 1 } };
    await expect(notes.change(note, change)).rejects.toThrow('unknown');
  });

  it('cannot write without publishing: these do not compile', () => {
    const attempts = async (note: NoteDocument) => {
      // @ts-expect-error: a published field
      await notes.changeUnpublished(note, { text: 'y' });
      // @ts-expect-error: a published field
      await notes.setUnpublished({ _id: 'a' }, { set: { author: 'eve' } });
      // @ts-expect-error: a published field
      await notes.setUnpublished({ _id: 'a' }, { unset: ['deletedAt'] });
      // @ts-expect-error: the collection's own
      await notes.change(note, { set: { version: 1 } });
      // @ts-expect-error: the collection's own
      await notes.change(note, { unset: ['dirtyAt'] });
      // @ts-expect-error: the driver's
      await notes.updateOne({ _id: 'a' }, { $set: { text: 'y' } });
      // @ts-expect-error: the driver's
      await notes.raw.updateOne({ _id: 'a' }, { $set: { text: 'y' } });
      // @ts-expect-error: a published field
      await notes.setAllUnpublished({ author: 'ada' }, { set: { text: 'y' } });
      ownedCollection({
        name: 'wrong',
        schema: new Schema<NoteDocument>(fields),
        topic: postTopic,
        // @ts-expect-error: a state of what is declared unpublished
        toState: ({ _id, version, views }): PostState => aPost({ id: _id, version, createdAt: views }),
        unpublished: ['views'],
      });
    };
    expect(attempts).toBeInstanceOf(Function);
    // Nor is there a way at run time.
    expect(Object.values(notes)).not.toContainEqual(
      expect.objectContaining({ updateOne: expect.anything() }),
    );
  });
});
