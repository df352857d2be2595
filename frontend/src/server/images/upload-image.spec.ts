import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { aBlob } from '../../../test/a-file.js';
import { fakeGateway, problem } from '../../../test/fake-gateway.js';
import type { FakeGateway } from '../../../test/fake-gateway.js';
import { anImage } from '../../../test/an-image.js';
import { deleteImage, getImage, uploadImage } from './upload-image.js';

const UPLOAD = 'POST /api/media/images';
const prepared = {
  blob: aBlob(),
  width: 3,
  height: 2,
  originalName: 'rower at the catch.png',
  originalSize: 2_400_000,
};

let gateway: FakeGateway;
beforeEach(() => {
  gateway = fakeGateway();
});
afterEach(() => {
  jest.restoreAllMocks();
});

// Rule: HTTP-35
it('sends a form whose last field is the file', async () => {
  let form: [string, unknown][] = [];
  gateway.on(UPLOAD, async (request) => {
    form = [...(await request.formData()).entries()];
    return Response.json(anImage(), { status: 201 });
  });
  expect(await uploadImage(prepared, 'post')).toEqual(anImage());
  const file = form.pop()![1] as File;
  expect(form).toEqual([
    ['purpose', 'post'],
    ['originalName', 'rower at the catch.png'],
    ['originalSize', '2400000'],
  ]);
  expect({ name: file.name, type: file.type, size: file.size }).toEqual({
    name: 'image.jpg',
    type: 'image/jpeg',
    size: 4,
  });
});

it('is sent once more where there was no answer, and not where there was one', async () => {
  let failures = 1;
  gateway.on(UPLOAD, () => {
    if (failures-- > 0) throw new TypeError('Failed to fetch');
    return anImage();
  });
  expect(await uploadImage(prepared, 'avatar')).toEqual(anImage());
  failures = 2;
  await expect(uploadImage(prepared, 'post')).rejects.toMatchObject({ name: 'NetworkError' });
  expect(gateway.calls).toHaveLength(4);
  gateway.on(UPLOAD, () => problem(413, 'quota-exceeded'));
  await expect(uploadImage(prepared, 'post')).rejects.toMatchObject({ code: 'quota-exceeded' });
  expect(gateway.calls).toHaveLength(5);
});

it('is not sent again without a network, and by nobody who has left', async () => {
  gateway.on(UPLOAD, () => {
    throw new TypeError('Failed to fetch');
  });
  const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await expect(uploadImage(prepared, 'post')).rejects.toMatchObject({ name: 'NetworkError' });
  onLine.mockReturnValue(true);
  const leave = new AbortController();
  gateway.on(UPLOAD, () => {
    leave.abort(new Error('left'));
    throw new TypeError('Failed to fetch');
  });
  await expect(uploadImage(prepared, 'post', leave.signal)).rejects.toThrow('left');
  expect(gateway.calls).toHaveLength(2);
});

it('deletes and reads an image', async () => {
  gateway.on('DELETE /api/media/i1', () => new Response(null, { status: 204 }));
  gateway.on('GET /api/media/i1', () => anImage());
  await deleteImage('i1');
  expect(await getImage('i1')).toEqual(anImage());
  await expect(getImage('gone')).rejects.toMatchObject({ status: 404 });
});
