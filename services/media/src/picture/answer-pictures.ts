import type { PictureAnswer, PictureRequest } from './picture-messages.js';
import { UnreadablePicture } from './pieces.js';
import { renderPicture } from './render-picture.js';

/** How often a picture's use of the machine is looked at. The decoder runs on other threads, so that this one can. */
const LOOK_MS = 50;

/**
 * The process that works on pictures, of its parent's messages (`PictureRequest`, answered by `PictureAnswer`), until the parent
 * ends it or is gone.
 */
export function answerPictures(): void {
  if (!process.send) {
    process.stderr.write('picture-main: started by media, not by hand\n');
    process.exitCode = 1;
    return;
  }
  // They may have reached the whole process group; media finishes its uploads first, and then ends this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', end);
  process.on('message', (request: PictureRequest) => void answer(request));
}

async function answer({ bytes, purpose, most }: PictureRequest): Promise<void> {
  say({ kind: 'begun' });
  const before = process.cpuUsage();
  const used = () => {
    const { user, system } = process.cpuUsage(before);
    return { cpuMs: (user + system) / 1000, memoryBytes: process.memoryUsage.rss() };
  };
  const endIfOver = () => {
    const { cpuMs, memoryBytes } = used();
    if (cpuMs > most.cpuMs) return giveUp(`it took ${Math.round(cpuMs)} ms of the processor`);
    if (memoryBytes > most.memoryBytes) return giveUp(`it took ${memoryBytes} bytes of memory`);
    return false;
  };
  const looks = setInterval(endIfOver, LOOK_MS);
  try {
    const picture = await renderPicture(bytes, purpose);
    if (!endIfOver()) say({ kind: 'done', picture, ...used() });
  } catch (error) {
    say(
      error instanceof UnreadablePicture
        ? { kind: 'refused', reason: error.message }
        : { kind: 'failed', message: error instanceof Error ? error.message : String(error) },
    );
  } finally {
    clearInterval(looks);
  }
}

/** Whatever the decoder's threads do, they end with the process. */
function giveUp(reason: string): true {
  say({ kind: 'over', reason }, end);
  return true;
}

function say(message: PictureAnswer, then?: () => void): void {
  process.send!(message, undefined, undefined, then);
}

/** Without waiting for threads that are at work. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
