import { createLogger } from '@pulso/platform/logging/logger';
import { PictureLimits } from '../../src/picture/picture-limits.js';
import { PictureProcesses } from '../../src/picture/picture-processes.js';
import { ODD_PROGRAM } from './picture-program.js';

/** Works on a picture, prints the id of the process that has, and stays while another one hangs. */
const limits = Object.assign(new PictureLimits(), { program: ODD_PROGRAM });
const pictures = new PictureProcesses(limits, createLogger({ service: 'test', level: 'fatal' }));
const jpeg = (act: string) => Buffer.from(`\xff\xd8\xff${act}`, 'latin1');
await pictures.render(jpeg('answer'), 'post');
process.stdout.write(`${pictures.pids.join(' ')}\n`);
await pictures.render(jpeg('hang'), 'post');
