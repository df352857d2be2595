import {
  createMessageOpener,
  createMessageSealer,
  generateSealingKey,
  publicSealingKey,
} from './sealed-message.js';

const secret = Buffer.from('a secret');

describe('a sealed message', () => {
  it('is opened by the key that it was sealed for, also when a newer one is there', async () => {
    const [old, newer] = [await generateSealingKey(), await generateSealingKey()];
    const sealed = await createMessageSealer(publicSealingKey(old)).seal(secret);
    expect(sealed).not.toContain(secret.toString('base64url'));
    expect(Buffer.from(await createMessageOpener([newer, old]).open(sealed))).toEqual(secret);
    await expect(createMessageOpener([newer]).open(sealed)).rejects.toThrow('not there');
    await expect(createMessageOpener([{ ...newer, kid: old.kid }]).open(sealed)).rejects.toThrow();
  });

  it('differs each time, and is refused when it was changed', async () => {
    const key = await generateSealingKey();
    const sealer = createMessageSealer(publicSealingKey(key));
    const [one, other] = [await sealer.seal(secret), await sealer.seal(secret)];
    expect(one).not.toBe(other);
    const parts = one.split('.');
    parts[3] = other.split('.')[3]!;
    await expect(createMessageOpener([key]).open(parts.join('.'))).rejects.toThrow();
    await expect(createMessageOpener([key]).open('nothing')).rejects.toThrow();
  });

  it('needs no private part to be sealed', async () => {
    const key = publicSealingKey(await generateSealingKey());
    expect(Object.keys(key).sort()).toEqual(['crv', 'kid', 'kty', 'x']);
  });
});
