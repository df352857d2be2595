import { InProcessNetwork } from '@pulso/platform/rpc/in-process';
import { createLogger } from '@pulso/platform/logging/logger';
import { newIdAt } from '@pulso/platform/ids/uuid-v7';
import { readServiceSettings } from '@pulso/platform/service/service-settings';
import { bootService } from '@pulso/platform/service/start-service';
import { inContext } from '@pulso/platform/testing/context';
import { ManualClock } from '@pulso/platform/testing/manual-clock';
import { Dice } from '@pulso/platform/testing/seeded';
import { ClaimForPost } from '../../src/asset/claim-for-post.js';
import { DeleteAsset } from '../../src/asset/delete-asset.js';
import { PictureLimits } from '../../src/picture/picture-limits.js';
import { RemoveAssets } from '../../src/asset/remove-assets.job.js';
import { media as definition } from '../../src/service.js';
import { UploadImage } from '../../src/upload/upload-image.js';
import { PICTURE_PROGRAM } from './picture-program.js';
import { uploadRequest } from './upload-request.js';
import { aPicture } from './upload-form.js';

/**
 * A process of media in which users upload, claim and delete while the job removes, until it is killed. It prints a line
 * before each act and one after it: `upload <owner>`, `uploaded <owner> <id>`, `claim <owner> <post> <id>…`,
 * `claimed <owner> <post>`, `delete <owner> <id>`, `deleted <owner> <id>`. Arguments: a seed, the time, the owners' ids.
 */
const [seed, now, ...owners] = process.argv.slice(2) as [string, string, ...string[]];
const say = (...words: string[]) => process.stdout.write(`${words.join(' ')}\n`);
const dice = new Dice(Number(seed));
const clock = new ManualClock(Number(now));
/** Of the last one the thumbnail is smaller. */
const files = await Promise.all([20, 80, 320].map((side) => aPicture(side, side)));

const service = await bootService(definition, {
  settings: readServiceSettings(definition, process.env),
  transport: { kind: 'in-process', network: new InProcessNetwork() },
  // Events are handled by the instance that survives.
  bus: { subscribe: () => undefined, delivered: async () => true } as never,
  clock,
  logger: createLogger({ service: 'uploader', level: 'error' }),
});

service.get(PictureLimits).program = PICTURE_PROGRAM;

async function act(ownerId: string, free: string[]): Promise<void> {
  const chosen = dice.next();
  if (chosen < 0.35 && free.length >= 2) {
    const [ids, postId] = [free.splice(0, 2), newIdAt(clock.now())];
    say('claim', ownerId, postId, ...ids);
    await service.get(ClaimForPost).execute({ ids, postId, publicationKey: '' });
    return void say('claimed', ownerId, postId);
  }
  if (chosen < 0.45 && free.length > 0) {
    const id = free.shift()!;
    say('delete', ownerId, id);
    await service.get(DeleteAsset).execute({ id });
    return void say('deleted', ownerId, id);
  }
  say('upload', ownerId);
  const request = uploadRequest({ purpose: 'post', file: dice.pick(files) });
  const image = await service.get(UploadImage).execute(request, new AbortController().signal);
  free.push(image.facts!.id);
  say('uploaded', ownerId, image.facts!.id);
}

async function press(userId: string): Promise<never> {
  const free: string[] = [];
  for (;;) await inContext({ userId, sessionId: 's', expiresAt: Infinity }, () => act(userId, free));
}

async function remove(): Promise<never> {
  for (;;) await service.get(RemoveAssets).execute(new AbortController().signal);
}

await Promise.all([...owners.map(press), remove()]);
