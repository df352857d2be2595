import { Crc64 } from './crc64.js';

const crcOf = (...parts: string[]) => {
  const crc = new Crc64();
  for (const part of parts) crc.update(Buffer.from(part));
  return BigInt.asUintN(64, crc.value());
};

describe('CRC-64/XZ', () => {
  it('has the check value of its definition, however the bytes come', () => {
    expect(crcOf('123456789')).toBe(0x995dc9bbdf1939fan);
    expect(crcOf('1234', '', '56789')).toBe(0x995dc9bbdf1939fan);
  });

  it('is 0 without bytes', () => {
    expect(crcOf()).toBe(0n);
  });
});
