import { jest } from '@jest/globals';
import { Busboy } from '@fastify/busboy';
import { DomainError } from '@pulso/platform/errors/domain-error';
import { PROPERTY_LIMIT, propertyRuns } from '@pulso/platform/testing/property-limit';
import fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { readForm, type UploadForm } from './read-form.js';
import { TooSlow } from './read-parts.js';
import { UploadLimits } from './upload-limits.js';

const MOST_ANSWERED = 16_000;
/** Three fields and a file, and what is looked at of a form with more parts than it may have. */
const MOST_PARTS = 10;
const NAME_CODE_POINTS = 255;

const limits = Object.assign(new UploadLimits(), {
  ...{ fileBytes: 200_000, formBytes: 20_000 },
  // The parser waits for ever behind a large part without a name, which the pace ends.
  ...{ paceBytes: 1, paceMs: 50 },
});
const MOST_BYTES = limits.fileBytes + limits.formBytes;
const LONGEST = 2 * MOST_BYTES;

/** Reads a body that comes in chunks, and counts the parts that were looked at and the bytes that were parsed. */
async function read(body: string, chunk: number, bounds = limits) {
  const bytes = Buffer.from(body, 'latin1');
  let at = 0;
  const connection = new Readable({
    // It gives one chunk a turn of the event loop.
    read() {
      setImmediate(() => {
        this.push(at < bytes.length ? bytes.subarray(at, at + chunk) : null);
        at += chunk;
      });
    },
  });
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const request = Object.assign(connection, { headers });
  const emit = jest.spyOn(Busboy.prototype, 'emit');
  const write = jest.spyOn(Busboy.prototype, 'write');
  try {
    const incoming = request as unknown as IncomingMessage;
    const form = readForm(incoming, bounds, new AbortController().signal);
    const outcome = await form.catch((error: unknown) => error as Error);
    const parts = emit.mock.calls.filter(([event]) => event === 'field' || event === 'file').length;
    const parsed = write.mock.calls.reduce((sum, [data]) => sum + (data as Buffer).length, 0);
    return { outcome, parts, parsed };
  } finally {
    emit.mockRestore();
    write.mockRestore();
    request.destroy();
  }
}

it('ends at once for a client that has left before', async () => {
  const body = Object.assign(new Readable({ read: () => undefined }), {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });
  const patient = Object.assign(new UploadLimits(), { paceMs: 300_000 });
  const reason = new Error('it has left');
  const form = readForm(body as unknown as IncomingMessage, patient, AbortSignal.abort(reason));
  await expect(form).rejects.toBe(reason);
});

/** A text of a size, told by size and letter: a counterexample with all its bytes could not be read. */
type Text = readonly [size: number, letter: string];
const textOf = ([size, letter]: Text) => letter.repeat(Math.floor(size / letter.length));

type Part = Readonly<Record<'name' | 'value', Text>> & { kind: keyof typeof HEADS };
const HEADS = {
  field: (name: string) => `Content-Disposition: form-data; name="${name}"`,
  file: (name: string) =>
    `Content-Disposition: form-data; name="${name}"; filename="a.jpg"\r\nContent-Type: image/jpeg`,
  named: (name: string) => `Content-Disposition: form-data; name="file"; filename="${name}"`,
  nameless: () => 'Content-Type: text/plain',
  longHeader: (name: string) => `X-A: ${name}`,
  manyHeaders: (name: string) => 'X-A: b\r\n'.repeat(name.length / 8) + 'X-B: c',
};
const partOf = ({ kind, name, value }: Part) =>
  `--b\r\n${HEADS[kind](textOf(name))}\r\n\r\n${textOf(value)}\r\n`;

interface Form {
  parts: Part[];
  times: number;
  end: string;
}
const formOf = ({ parts, times, end }: Form) =>
  (parts.map(partOf).join('').repeat(times) + end).slice(0, LONGEST);

const whole = (text: string): Text => [text.length, text];
const anySize = fc.constantFrom(
  ...[0, 1, 255, 4_096, 4_097, 30_000, limits.fileBytes, limits.fileBytes + 1, LONGEST],
);
const anyText: fc.Arbitrary<Text> = fc.tuple(
  anySize,
  fc.constantFrom('a', '\0', '\xf0\x9f\x92\xaa', '\r\n', '-', '\r\n--', '"', '%41'),
);
const anyPart: fc.Arbitrary<Part> = fc.record({
  kind: fc.constantFrom(...(Object.keys(HEADS) as Part['kind'][])),
  name: fc.oneof(
    fc.constantFrom(...['purpose', 'originalName', 'originalSize', 'file', 'unknown', ''].map(whole)),
    anyText,
  ),
  value: fc.oneof(fc.constantFrom(...['post', 'avatar', '9'].map(whole)), anyText),
});
const anyForm: fc.Arbitrary<Form> = fc.record({
  parts: fc.array(anyPart, { maxLength: 6 }),
  times: fc.constantFrom(1, 1, 1, 40),
  end: fc.constantFrom('--b--\r\n', '--b--', '--b', '', '--b--\r\nmore', '\0', '\r\n'),
});
const one = (part: Part, times = 1): Form => ({ parts: [part], times, end: '--b--\r\n' });

describe('the form of an upload', () => {
  // Rule: HTTP-35
  it('is answered shortly whatever it is, and little of it is read', async () => {
    const anyChunk = fc.constantFrom(1_000, 16_384, 65_536);
    await fc.assert(
      fc.asyncProperty(anyForm, anyChunk, async (form, chunk) => {
        const { outcome, parts, parsed } = await read(formOf(form), chunk);
        expect(parts).toBeLessThanOrEqual(MOST_PARTS);
        expect(parsed).toBeLessThanOrEqual(MOST_BYTES + 65_536);
        if (outcome instanceof TooSlow) return;
        if (outcome instanceof Error) {
          expect(outcome).toBeInstanceOf(DomainError);
          const { code, message, details } = outcome as DomainError;
          expect(JSON.stringify({ code, message, details }).length).toBeLessThanOrEqual(MOST_ANSWERED);
        } else {
          expect(outcome.file.length).toBeLessThanOrEqual(limits.fileBytes);
          expect([...outcome.originalName].length).toBeLessThanOrEqual(NAME_CODE_POINTS);
        }
      }),
      {
        ...PROPERTY_LIMIT,
        numRuns: propertyRuns(200),
        examples: [
          [one({ kind: 'field', name: [30_000, 'a'], value: [1, 'x'] }), 16_384],
          [one({ kind: 'field', name: whole('purpose'), value: whole('post') }, 2_000), 16_384],
          [one({ kind: 'nameless', name: whole(''), value: [1, 'x'] }, 2_000), 16_384],
          [one({ kind: 'file', name: whole('file'), value: [LONGEST, 'a'] }), 16_384],
        ],
      },
    );
  }, 90_000);

  it('is whole when it is as it should be', async () => {
    const name = 'a'.repeat(300);
    const parts: Part[] = [
      { kind: 'field', name: whole('purpose'), value: whole('post') },
      { kind: 'field', name: whole('originalName'), value: whole(name) },
      { kind: 'field', name: whole('originalSize'), value: whole('9') },
      { kind: 'file', name: whole('file'), value: whole('bytes') },
    ];
    const body = formOf({ parts, times: 1, end: '--b--\r\n' });
    const { outcome } = await read(body, 1_000, new UploadLimits());
    const { file, ...fields } = outcome as UploadForm;
    expect(fields).toEqual({
      ...{ purpose: 'post', originalSize: 9 },
      originalName: name.slice(0, NAME_CODE_POINTS),
    });
    expect(file.toString()).toBe('bytes');
  });
});
