/** What the page itself finds out of a chosen video. Duration in s, sizes in pixels; the poster is a JPEG. */
export interface VideoFacts {
  duration: number;
  width: number;
  height: number;
}

interface ProbedVideo extends VideoFacts {
  poster: Blob;
}

/** `metadata`: this browser does not read the file; `thumbnail`: it has no picture of it. */
export type ProbeFault = 'metadata' | 'thumbnail';

export class ProbeError extends Error {
  override readonly name = 'ProbeError';

  constructor(readonly fault: ProbeFault) {
    super(`video not read: ${fault}`);
  }
}

/** In s (MEDIA-8); of a shorter video it is the first frame. */
const POSTER_AT = 1;
const POSTER_QUALITY = 0.8;
/** Its longer side, in px: it is shown at most so large. */
const POSTER_SIDE = 1280;
/** In ms. Some browsers say nothing of a file that they cannot decode. */
const LONGEST_WAIT = 20_000;

/**
 * Reads a video by a `<video>` of this page, before anything is sent, and draws its poster.
 * @throws ProbeError
 */
export async function probeVideo(file: Blob): Promise<ProbedVideo> {
  const video = document.createElement('video');
  const address = URL.createObjectURL(file);
  try {
    video.muted = true;
    video.playsInline = true;
    video.preload = 'auto';
    await happens(video, 'loadedmetadata', 'metadata', () => (video.src = address));
    const { videoWidth: width, videoHeight: height } = video;
    if (width === 0 || height === 0) throw new ProbeError('metadata');
    // What was recorded as a stream does not say how long it is.
    const duration = Number.isFinite(video.duration) ? video.duration : 0;
    await happens(video, 'seeked', 'thumbnail', () => {
      video.currentTime = duration > POSTER_AT ? POSTER_AT : 0;
    });
    return { duration, width, height, poster: await posterOf(video) };
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(address);
  }
}

function happens(
  video: HTMLVideoElement,
  event: string,
  fault: ProbeFault,
  begin: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new ProbeError(fault));
    const timer = setTimeout(fail, LONGEST_WAIT);
    video.addEventListener('error', fail, { once: true });
    video.addEventListener(
      event,
      () => {
        clearTimeout(timer);
        video.removeEventListener('error', fail);
        resolve();
      },
      { once: true },
    );
    begin();
  });
}

async function posterOf(video: HTMLVideoElement): Promise<Blob> {
  const scale = Math.min(1, POSTER_SIDE / Math.max(video.videoWidth, video.videoHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
  const poster = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, 'image/jpeg', POSTER_QUALITY),
  );
  if (!poster) throw new ProbeError('thumbnail');
  return poster;
}
