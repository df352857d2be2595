import { randomUUID } from 'node:crypto';
import { until } from '@pulso/platform/testing/until';
import { aPicture } from '../../support/a-picture.js';
import { ApiClient, type ApiPost } from '../../support/api-client.js';
import { mailsOf } from '../../support/inbox.js';
import type { Cluster } from '../cluster.js';
import { pause } from '../processes.js';

/** What each of Pulso's parts does for people of its own: a read and a write of each service, a picture, an event, and a mail. */
export class Probe {
  private constructor(
    private readonly cluster: Cluster,
    private readonly url: string,
    private readonly name: string,
    private readonly member: ApiClient,
    private readonly coach: ApiClient,
  ) {}

  static async start(cluster: Cluster, url: string): Promise<Probe> {
    const name = `probe-${randomUUID().slice(0, 8)}`;
    const member = await new ApiClient(url).signUp(name);
    const coach = await new ApiClient(url).signUp(`${name}-coach`, { isCoach: true });
    const probe = new Probe(cluster, url, name, member, coach);
    await probe.untilDone('billing to know the coach', () => probe.subscribe());
    return probe;
  }

  /**
   * Resolves when each part has done its work once. Rejects when one has not after `limit` ms, and says what it did last.
   * @returns seconds until the last of them had
   */
  async untilServes(inboxUrl: string, limit: number): Promise<number> {
    const startedAt = performance.now();
    const parts: Record<string, () => Promise<void>> = {
      identity: async () => void (await new ApiClient(this.url).logIn(this.name)),
      social: () => this.answered('PUT', `/api/users/${this.coach.userId}/follow`, 200),
      posts: () => this.answered('POST', '/api/posts', 201, { content: `${this.name} ${randomUUID()}` }),
      messaging: () =>
        this.answered('POST', '/api/messages', 201, { receiverId: this.coach.userId, content: randomUUID() }),
      billing: () => this.subscribe(),
      media: () => this.showPicture(),
      mail: this.mailOfNewcomer(inboxUrl),
    };
    await Promise.all(
      Object.entries(parts).map(([part, work]) => this.untilDone(`${part} to serve`, work, limit)),
    );
    return Math.round((performance.now() - startedAt) / 100) / 10;
  }

  private async untilDone(what: string, work: () => Promise<void>, limit?: number): Promise<void> {
    let reason = '';
    const isDone = async () => {
      try {
        await work();
        return true;
      } catch (error) {
        reason = (error as Error).message;
        return pause(this.cluster);
      }
    };
    await until(isDone, { what: () => `${what}; last: ${reason}`, limit });
  }

  private async answered(method: string, path: string, status: number, body?: object): Promise<void> {
    const answer = await this.member.call(method, path, body);
    if (answer.status !== status)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  /** Ends the subscription, and subscribes anew. */
  private async subscribe(): Promise<void> {
    const path = `/api/subscriptions/${this.coach.userId}`;
    expect([200, 204, 404]).toContain((await this.member.delete(path)).status);
    expect([200, 201]).toContain((await this.member.put(path)).status);
  }

  /** A picture goes into the bucket, and comes out of it for everyone in a post. */
  private async showPicture(): Promise<void> {
    const form = new FormData();
    form.append('purpose', 'post');
    form.append('file', new Blob([new Uint8Array(aPicture(64, 64))], { type: 'image/png' }), 'picture.png');
    const signal = AbortSignal.timeout(15_000);
    const headers = { authorization: `Bearer ${this.member.accessToken}` };
    const upload = await fetch(`${this.url}/api/media/images`, {
      method: 'POST',
      headers,
      body: form,
      signal,
    });
    const { id } = (await upload.json()) as { id: string };
    expect(upload.status).toBe(201);
    const post = await this.member.post<ApiPost & { images: { url: string }[] }>('/api/posts', {
      content: this.name,
      images: [{ id }],
    });
    expect(post.status).toBe(201);
    const shown = await fetch(`${this.url}${post.body.images[0]!.url}`, { signal });
    await shown.arrayBuffer();
    expect(shown.status).toBe(200);
  }

  /** Identity's event reaches messaging, whose worker sends it. */
  private mailOfNewcomer(inboxUrl: string): () => Promise<void> {
    const name = `${this.name}-${randomUUID().slice(0, 8)}`;
    const email = `${name}@example.test`;
    let isSignedUp = false;
    return async () => {
      if (!isSignedUp) {
        const fields = { email, password: 'correct horse', name, username: name };
        // It was, where the answer to a former attempt was lost.
        expect([201, 409]).toContain((await new ApiClient(this.url).post('/api/auth/signup', fields)).status);
        isSignedUp = true;
      }
      if (!(await mailsOf(inboxUrl)).some(({ to }) => to === email)) throw new Error(`No mail to ${email}`);
    };
  }
}
