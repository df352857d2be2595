/** The states of an upload (MEDIA-10). */
export type UploadState = 'running' | 'pausing' | 'paused' | 'canceling' | 'canceled' | 'success' | 'error';

type UploadAct = 'pause' | 'resume' | 'cancel' | 'retry' | 'remove';

/** From which states an act is possible; the first three are as MEDIA-10 says. */
const FROM: Readonly<Record<UploadAct, readonly UploadState[]>> = {
  pause: ['running'],
  resume: ['paused', 'pausing'],
  cancel: ['running', 'pausing'],
  retry: ['error'],
  remove: ['paused', 'error'],
};

export const may = (act: UploadAct, state: UploadState): boolean => FROM[act].includes(state);

/** It will be on the server without anybody having to choose its file again. */
export const isUnderWay = (state: UploadState): boolean => ['running', 'pausing', 'paused'].includes(state);
