/** The reflected polynomial of ECMA-182 in two halves. */
const [HIGH, LOW] = [0xc96c5795, 0xd7870f42];
const [HIGHS, LOWS] = tables();

/** CRC-64/XZ, with which archives of mongodump guard each collection. */
export class Crc64 {
  private high = -1;
  private low = -1;

  update(bytes: Uint8Array): void {
    let { high, low } = this;
    for (const byte of bytes) {
      const place = (low ^ byte) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ LOWS[place]!;
      high = (high >>> 8) ^ HIGHS[place]!;
    }
    this.high = high;
    this.low = low;
  }

  /** As a signed number of 64 bits, as BSON has it. */
  value(): bigint {
    return BigInt.asIntN(64, (BigInt(~this.high >>> 0) << 32n) | BigInt(~this.low >>> 0));
  }
}

function tables(): [Int32Array, Int32Array] {
  const [highs, lows] = [new Int32Array(256), new Int32Array(256)];
  for (let place = 0; place < 256; place++) {
    let [high, low] = [0, place];
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = low & 1;
      low = (low >>> 1) | (high << 31);
      high >>>= 1;
      if (isOdd) [high, low] = [high ^ HIGH, low ^ LOW];
    }
    highs[place] = high;
    lows[place] = low;
  }
  return [highs, lows];
}
