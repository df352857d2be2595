import { Injectable } from '@nestjs/common';
import { ObjectStore } from '@pulso/platform/objects/object-store';
import { Readable } from 'node:stream';
import { type Archive, documentKeyOf } from '../store/archive.js';
import { ArchivedFiles } from '../store/archived-files.js';
import type { Member } from './archive-zip.js';

const README = `This is a copy of everything that Pulso held of your account when you asked for it.
pulso-export.json has your profile, posts, comments, messages and all other records, as JSON text.
The folder media has your pictures and videos. Each is named by its id, as pulso-export.json names it.
An id that leads to no file belongs to a file that was deleted.
You can import this archive into an empty account of any Pulso, in 'Your data' of the settings, if pulso-export.json has at most 200 MB.
`;

/** What is in an archive. A file that is removed before its turn is left out. */
@Injectable()
export class ArchiveMembers {
  constructor(
    private readonly files: ArchivedFiles,
    private readonly objects: ObjectStore,
  ) {}

  async *of(
    archive: Pick<Archive, 'id' | 'ownerId' | 'documentBytes' | 'requestedAt'>,
  ): AsyncGenerator<Member> {
    const { ownerId, documentBytes, requestedAt: modifiedAt } = archive;
    const readme = Buffer.from(README);
    yield { name: 'README.txt', size: readme.length, modifiedAt, open: () => Readable.from([readme]) };
    const document = documentKeyOf(archive);
    yield {
      ...{ name: 'pulso-export.json', size: documentBytes, modifiedAt },
      open: () => this.objects.read(document),
    };
    for await (const { name, objectKey } of this.files.of(ownerId)) {
      const size = await this.objects.sizeOf(objectKey);
      if (size !== undefined) yield { name, size, modifiedAt, open: () => this.objects.read(objectKey) };
    }
  }
}
