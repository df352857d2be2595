import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type UserState, UserStatus } from '@pulso/contracts/identity/v1/events';
import { Image } from '@pulso/contracts/media/v1/media';
import { PostState } from '@pulso/contracts/posts/v1/events';
import { rpcContracts } from '@pulso/contracts/rpc';
import { userTopic } from '@pulso/contracts/topics/identity';
import { postTopic } from '@pulso/contracts/topics/posts';
import { hiddenPostTopic } from '@pulso/contracts/topics/social';
import { createUrlSigner } from '@pulso/platform/auth/signed-url';
import type { InProcessBus } from '@pulso/platform/events/in-process/in-process-bus';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import type { DirectBus } from '@pulso/platform/testing/direct-bus';
import { TestService } from '@pulso/platform/testing/test-service';
import { PictureLimits } from '../src/picture/picture-limits.js';
import { RemoveAssets } from '../src/asset/remove-assets.job.js';
import { media as definition } from '../src/service.js';
import { UploadLimits } from '../src/upload/upload-limits.js';
import { TusClient } from '@pulso/platform/testing/tus-client';
import { PICTURE_PROGRAM } from './support/picture-program.js';
import { aPicture, type Form, formOf } from './support/upload-form.js';

/** Media on a real store, with its listener. */
export class TestMedia<B extends InProcessBus | DirectBus = InProcessBus> {
  readonly limits: UploadLimits;
  readonly base: string;

  private constructor(
    readonly service: TestService<(typeof rpcContracts.media)['definition'], B>,
    readonly objects: string,
  ) {
    this.limits = service.get(UploadLimits);
    service.get(PictureLimits).program = PICTURE_PROGRAM;
    this.base = `http://127.0.0.1:${service.running.bytesPort}`;
  }

  static async start(): Promise<TestMedia> {
    const settings = await aDirectory();
    const service = await TestService.start(definition, rpcContracts.media, { settings });
    return new TestMedia(service, settings.MEDIA_OBJECTS_DIR);
  }

  /** The same on a bus that takes several replicas. */
  static async startOn(bus: DirectBus): Promise<TestMedia<DirectBus>> {
    const settings = await aDirectory();
    const service = await TestService.start(definition, rpcContracts.media, { settings, bus });
    return new TestMedia(service, settings.MEDIA_OBJECTS_DIR);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await rm(this.objects, { recursive: true, force: true });
  }

  /** Removes all images, and what is known of posts and users. Time goes on. */
  async empty(): Promise<void> {
    await this.service.tamper(
      'TRUNCATE archives, assets, uploads, upload_pieces, videos, publications, known_posts, known_users',
    );
    for (const name of await readdir(this.objects))
      if (name !== '.incoming') await rm(join(this.objects, name), { recursive: true });
  }

  newId(): string {
    return newIdAt(this.service.clock.now());
  }

  async post(
    userId: string,
    body: ConstructorParameters<typeof Response>[0],
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const authorization = await this.service.authorizationOf(userId);
    const init = { method: 'POST', body, headers: { authorization, ...headers }, duplex: 'half' };
    return fetch(`${this.base}/images`, init as RequestInit);
  }

  async upload(userId: string, form: Form = {}): Promise<Image> {
    const response = await this.post(userId, formOf({ file: await aPicture(), ...form }));
    if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
    return Image.decode(new Uint8Array(await response.arrayBuffer()));
  }

  /** What speaks tus for a user. */
  tusOf(userId: string): TusClient {
    return new TusClient(this.base, () => this.service.authorizationOf(userId));
  }

  avatar(userId: string): Promise<Image> {
    return this.upload(userId, { purpose: 'avatar' });
  }

  get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
    return fetch(this.base + path, { headers, method });
  }

  claim(userId: string, ids: string[], postId: string, publicationKey = '') {
    return this.service.as(userId, (client) => client.claimForPost({ ids, postId, publicationKey }));
  }

  claimVideo(userId: string, videoId: string, postId: string) {
    return this.service.as(userId, (client) =>
      client.claimForPost({ ids: [], videoId, postId, publicationKey: '' }),
    );
  }

  release(userId: string, ids: string[], postId: string) {
    return this.service.as(userId, (client) => client.releaseClaim({ ids, postId }));
  }

  async used(userId: string): Promise<number> {
    return (await this.service.as(userId, (client) => client.getStorage({}))).bytesUsed;
  }

  delete(userId: string, id: string) {
    return this.service.as(userId, (client) => client.deleteAsset({ id }));
  }

  /** A post's event, of the version `version`. */
  postIs(id: string, authorId: string, version: number, state: Partial<PostState>): Promise<void> {
    const whole = PostState.fromPartial({ id, authorId, version, mediaEpoch: 1, ...state });
    return this.service.tell(postTopic, whole);
  }

  /** A moderator's decision about a post. */
  hides(postId: string, version: number, hidden = true): Promise<void> {
    return this.service.tell(hiddenPostTopic, { postId, version, hidden, reason: 'nudity', decidedAt: 0 });
  }

  userIs(id: string, version: number, state: Partial<UserState>): Promise<void> {
    const active = {
      status: UserStatus.USER_STATUS_ACTIVE,
      name: 'Ana',
      username: 'ana',
      profileImageId: '',
    };
    const rest = { isCoach: false, subscriptionCurrency: '', createdAt: 0, formerUsernames: [] };
    return this.service.tell(userTopic, { id, version, ...active, ...rest, ...state } as UserState);
  }

  /** An address as posts signs it. */
  address(id: string, epoch: number, lifeMs?: number, variant = 'full'): string {
    const secrets = JSON.parse(this.service.env['MEDIA_URL_SECRETS']!) as { kid: string; secret: string }[];
    return createUrlSigner({ secrets, clock: this.service.clock }).sign(`/media/${id}/${variant}`, {
      epoch,
      ...(lifeMs !== undefined && { lifeMs }),
    });
  }

  async statusOf(id: string, epoch = 9): Promise<number> {
    return (await this.get(this.address(id, epoch))).status;
  }

  remove(): Promise<void> {
    return this.service.get(RemoveAssets).execute(new AbortController().signal);
  }

  rows(userId: string) {
    return this.service.rows<{ id: string; state: string; bytes: number }>(
      'SELECT id, state, bytes FROM assets WHERE owner_id = $1 ORDER BY id',
      [userId],
    );
  }
}

/** The setting of a new directory for files. */
const aDirectory = async () => ({ MEDIA_OBJECTS_DIR: await mkdtemp(join(tmpdir(), 'pulso-media-')) });

export const DAY_MS = 24 * 60 * 60_000;
