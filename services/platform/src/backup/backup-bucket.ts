import { createWriteStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { ObjectStore } from '../objects/object-store.js';
import { StartError } from '../process/start-error.js';
import {
  databasesOf,
  dumpKey,
  type Manifest,
  manifestKey,
  manifestSchema,
  timeOfManifest,
  timeOfName,
} from './backup-names.js';

/** The backups of all services in their bucket. The writer's key may list and store; only a reader's key may read. */
export class BackupBucket {
  constructor(private readonly objects: ObjectStore) {}

  /** The times of a service's whole backups, the oldest first. */
  async times(service: string): Promise<string[]> {
    const times: string[] = [];
    for await (const { key } of this.objects.list(databasesOf(service))) {
      const time = timeOfManifest(key);
      if (time !== undefined) times.push(time);
    }
    return times;
  }

  /** Stores a dump, and then what makes it a backup. Throws StartError where the time is taken. */
  async store(manifest: Manifest, dump: { path: string }): Promise<void> {
    const { service, time } = manifest;
    for await (const { key } of this.objects.list(`${databasesOf(service)}${time}/`))
      throw new StartError(`${key} is there already: another backup began in the same second`);
    await this.objects.putFile(dumpKey(service, time), dump.path);
    await this.objects.put(manifestKey(service, time), Buffer.from(JSON.stringify(manifest)));
  }

  /** The manifest of a time, or of the newest with `latest`. Throws StartError where there is none. */
  async manifest(service: string, time: string): Promise<Manifest> {
    const times = await this.times(service);
    const found = time === 'latest' ? times.at(-1) : times.find((one) => one === time);
    if (found === undefined) {
      const wrong = time !== 'latest' && !timeOfName(time) ? '; a time is 20261127-204500, in UTC' : '';
      throw new StartError(
        `${service} has no backup ${time}${wrong}. There are ${times.length}: ${times.slice(-5).join(', ')}`,
      );
    }
    const key = manifestKey(service, found);
    const read = manifestSchema.safeParse(JSON.parse(await text(this.objects.read(key))));
    if (!read.success || read.data.service !== service || read.data.time !== found)
      throw new StartError(`${key} is not a manifest that this version reads`);
    return read.data;
  }

  /** Brings the dump of a backup into the file `path`. */
  async fetch({ service, time }: Manifest, path: string): Promise<void> {
    await this.fetchFile(dumpKey(service, time), path);
  }

  /** The keys below a folder of files, without the folder, in their order. */
  async *files(folder: string): AsyncGenerator<string> {
    for await (const { key } of this.objects.list(folder)) yield key.slice(folder.length);
  }

  async storeFile(key: string, path: string): Promise<void> {
    await this.objects.putFile(key, path);
  }

  async fetchFile(key: string, path: string): Promise<void> {
    await pipeline(this.objects.read(key), createWriteStream(path, { mode: 0o600 }));
  }
}
