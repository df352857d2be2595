import { BlobWriter, TextReader, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js/lib/zip-core-custom.js';

/** A zip of these members; `level` 0 stores them, as Pulso does. */
export async function aZip(
  members: Readonly<Record<string, string | Uint8Array>>,
  options: object = {},
): Promise<Blob> {
  const writer = new ZipWriter(new BlobWriter(), { level: 0, useWebWorkers: false, ...options });
  for (const [name, content] of Object.entries(members)) {
    const reader = typeof content === 'string' ? new TextReader(content) : new Uint8ArrayReader(content);
    await writer.add(name, reader);
  }
  return writer.close();
}
