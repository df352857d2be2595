import { type VideoFacts, VideoStatus } from '@pulso/contracts/media/v1/media';
import {
  type EditPostRequest,
  type Post,
  type PublishPostRequest,
  Visibility,
} from '@pulso/contracts/posts/v1/posts';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { until } from '@pulso/platform/testing/until';
import { PostRepository } from '../src/store/post.repository.js';
import { type TestPosts, startTestPosts } from './start.js';

const { VIDEO_STATUS_READY, VIDEO_STATUS_PROCESSING } = VideoStatus;
const READY = { status: VIDEO_STATUS_READY, durationMs: 9_000, width: 1080, height: 1920 };

describe('what media tells of a video', () => {
  let posts: TestPosts;
  let coach: string;
  beforeAll(async () => {
    posts = await startTestPosts();
    coach = await posts.coach();
  });
  afterAll(() => posts?.close());

  const read = (viewer: string | null, id: string) => posts.as(viewer, (client) => client.getPost({ id }));
  const publish = (
    video: VideoFacts,
    request: Partial<PublishPostRequest> = {},
    id = newIdAt(posts.clock.now()),
  ) => posts.publishVideo(coach, video, request, id);
  const edit = (author: string, request: EditPostRequest) =>
    posts.as(author, (client) => client.editPost(request));
  const upload = ({ video }: Post) => video!.upload!;

  it('is in its post in the newest form, in whatever order it comes, beside edits', async () => {
    const video = posts.video();
    const { id } = await publish(video, { content: 'x' });
    const [older, newer] = [
      { ...video, version: video.version + 1 },
      { ...video, version: video.version + 2 },
    ];
    await posts.tellVideo(coach, newer, { ...READY, version: newer.version });
    await posts.tellVideo(coach, older, { version: older.version });
    const edits = [
      edit(coach, { id, content: 'y' }),
      edit(coach, { id, visibility: Visibility.VISIBILITY_SUBSCRIBERS }),
    ];
    const latest = { ...READY, version: newer.version + 1, width: 7 };
    await Promise.all([...edits, posts.tellVideo(coach, newer, latest)]);
    const post = await read(coach, id);
    expect(post).toMatchObject({ content: 'y', visibility: Visibility.VISIBILITY_SUBSCRIBERS });
    expect(upload(post).facts).toMatchObject(latest);
  });

  it('is in a post that was stored later, also in its first answer', async () => {
    const video = posts.video();
    const ready = await posts.tellVideo(coach, video, READY);
    const idempotency = { key: 'early', scope: 'POST /api/posts', bodyHash: 'h' };
    const id = newIdAt(posts.clock.now());
    const first = await publish(video, { idempotency }, id);
    expect(upload(first)).toMatchObject({ facts: ready, url: expect.stringContaining('/video?') });
    expect(await read(coach, first.id)).toMatchObject({ video: first.video });
    expect(upload(await publish(video, { idempotency }, id))).toEqual(upload(first));
  });

  it('comes into a post whose process died in between, by the next one that starts', async () => {
    const video = posts.video();
    const ready = await posts.tellVideo(coach, video, READY);
    const id = newIdAt(posts.clock.now());
    await posts.inKilledReplica(async (replica) => {
      const repository = replica.get(PostRepository);
      const fields = { id, authorId: coach, images: [], mentionedIds: [] };
      const draft = { content: 'x', visibility: 'public' } as const;
      const attached = { videoId: video.id, videoFacts: video };
      await repository.rows.insert(repository.newPost({ ...fields, draft, video: attached }));
    });
    const facts = async () => upload(await read(null, id)).facts;
    expect((await facts())!.status).toBe(VIDEO_STATUS_PROCESSING);
    await posts.restart();
    await until(async () => (await facts())!.status === VIDEO_STATUS_READY, {
      what: 'the newest facts in the post',
    });
    expect(await facts()).toEqual(ready);
  });

  it('leaves nothing behind once the video is deleted', async () => {
    const video = posts.video();
    await posts.tellVideo(coach, video, READY);
    expect((await posts.raw.videos.findOne({ _id: video.id }))!.facts).toMatchObject(READY);
    await posts.tellVideoGone(coach, video.id);
    expect((await posts.raw.videos.findOne({ _id: video.id }))!.facts).toBeNull();
  });
});
