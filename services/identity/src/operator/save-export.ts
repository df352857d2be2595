import { open, rename, rm } from 'node:fs/promises';
import { EXPORT_END } from '@pulso/contracts/export-format';
import { StartError } from '@pulso/platform/process/start-error';

/** Longer than the gateway gives an export. */
const LONGEST_MS = 6 * 60_000;
const LONGEST_REASON = 300;

/**
 * Saves the export of the account of an access token (ACCT-35) as the file `out`, which nobody but its owner can read. Returns its size in
 * bytes. Throws a StartError, and leaves no file, where the gateway does not give the whole document or it cannot be written.
 */
export async function saveExport({ url, out }: { url: URL; out: string }, token: string): Promise<number> {
  // By another name until it is whole: this process may be killed.
  const part = `${out}.part`;
  const file = await open(part, 'wx', 0o600).catch((error: Error) => {
    throw new StartError(`${part} cannot be made: ${error.message}`);
  });
  try {
    let size = 0;
    let tail = '';
    for await (const chunk of documentOf(url, token)) {
      await file.appendFile(chunk);
      size += chunk.length;
      tail = (tail + Buffer.from(chunk).toString('latin1')).slice(-EXPORT_END.length);
    }
    if (tail !== EXPORT_END)
      throw new StartError('The gateway gave a document that is cut. Please try again.');
    await file.sync();
    await file.close();
    await rename(part, out);
    return size;
  } catch (error) {
    await file.close();
    await rm(part, { force: true });
    throw error instanceof StartError
      ? error
      : new StartError(`${out} cannot be written: ${(error as Error).message}`);
  }
}

async function* documentOf(url: URL, token: string): AsyncGenerator<Uint8Array> {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      // The token is for this address alone.
      redirect: 'error',
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    if (response.status !== 200) throw new StartError(await refusalOf(response));
    yield* response.body ?? [];
  } catch (error) {
    throw error instanceof StartError
      ? error
      : new StartError(`The gateway did not give the whole document: ${reasonOf(error)}.`);
  }
}

/** With the text of the problem that a gateway answers with; whoever else answers may write anything. */
async function refusalOf(response: Response): Promise<string> {
  const text = await response.text();
  let detail: unknown;
  try {
    ({ detail } = JSON.parse(text) as { detail?: unknown });
  } catch {
    detail = undefined;
  }
  const said = typeof detail === 'string' ? `: ${detail.slice(0, LONGEST_REASON)}` : '.';
  return `The gateway refuses the export with ${response.status}${said}`;
}

/** `fetch` tells the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: Partial<Error> };
  return cause?.message || message;
}
