/** A picture that is being drawn: SVG with gradients, and chance that is the same each time. */
export class Drawing {
  constructor(width, height, seed) {
    Object.assign(this, { width, height, parts: [], defs: [], state: (seed * 2654435761) >>> 0 });
  }

  /** From 0 to 1. */
  chance() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  between(low, high) {
    return low + this.chance() * (high - low);
  }

  add(...svg) {
    this.parts.push(...svg);
    return this;
  }

  /** The `fill` of a gradient; stops are `[offset, colour, opacity]`. */
  gradient(stops, { x2 = 0, y2 = 1, radial } = {}) {
    const id = `g${this.defs.length}`;
    const inner = stops
      .map(
        ([at, colour, opacity = 1]) =>
          `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
      )
      .join('');
    const [kind, where] = radial
      ? ['radialGradient', `cx="${radial[0]}" cy="${radial[1]}" r="${radial[2]}"`]
      : ['linearGradient', `x1="0" y1="0" x2="${x2}" y2="${y2}"`];
    this.defs.push(`<${kind} id="${id}" ${where}>${inner}</${kind}>`);
    return `url(#${id})`;
  }

  rect(x, y, width, height, fill, more = '') {
    return this.add(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`);
  }

  circle(x, y, r, fill, more = '') {
    return this.add(`<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`);
  }

  ellipse(x, y, rx, ry, fill, more = '') {
    return this.add(`<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`);
  }

  path(d, fill, more = '') {
    return this.add(`<path d="${d}" fill="${fill}" ${more}/>`);
  }

  line(d, stroke, width, more = '') {
    return this.add(
      `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`,
    );
  }

  background(...stops) {
    return this.rect(
      0,
      0,
      this.width,
      this.height,
      this.gradient(stops.map((colour, i) => [i / (stops.length - 1), colour])),
    );
  }

  /** Rolling hills, whose upper edge is about `y`; `shift` moves them sideways. */
  hills(y, height, fill, waves = 2, shift = this.between(0, 6)) {
    const { width } = this;
    const tilt = this.between(-0.25, 0.25);
    let d = `M0 ${this.height} L0 ${y}`;
    for (let x = 0; x <= width; x += 20) {
      const t = (x / width) * Math.PI * 2 * waves + shift;
      d += ` L${x} ${(y - height * (Math.sin(t) * 0.6 + Math.sin(t * 2.3 + 1) * 0.25 + (x / width - 0.5) * tilt)).toFixed(1)}`;
    }
    return this.path(`${d} L${width} ${this.height} Z`, fill);
  }

  /** Runs `draw` with the origin moved, scaled and turned. */
  group(transform, draw, more = '') {
    this.add(`<g transform="${transform}" ${more}>`);
    draw();
    return this.add('</g>');
  }

  get svg() {
    const { width, height } = this;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${this.defs.join('')}</defs>${this.parts.join('')}</svg>`;
  }
}

/** A path along points. */
export const along = (...points) => `M${points.map((point) => point.join(' ')).join(' L')}`;

/** A person from the side, drawn with thick lines; `pose` has the angles of the limbs. The feet stand near 0, 0; 220 high. */
export function figure(d, { skin, hair, top, bottom, shoes }, pose) {
  const { lean = 8, hipY = -108, arms, legs } = pose;
  const rad = (deg) => (deg * Math.PI) / 180;
  const onward = ([x, y], deg, length) => [x + Math.sin(rad(deg)) * length, y + Math.cos(rad(deg)) * length];
  const limb = (from, [upper, lower], lengths, colour, width, endColour, end) => {
    const joint = onward(from, upper, lengths[0]);
    const tip = onward(joint, lower, lengths[1]);
    d.line(along(from, joint, tip), colour, width);
    if (end) end(tip, joint, endColour);
  };
  const hip = [0, hipY];
  const shoulder = onward(hip, 180 - lean, 68);
  const foot = ([x, y], joint, colour) => d.line(`M${x - 4} ${y} L${x + 20} ${y + 2}`, colour, 15);
  const hand = ([x, y]) => d.circle(x, y, 8, skin);
  const leg = (angles, colour, shoe) => {
    limb(hip, angles, [54, 54], skin, 17, shoe, foot);
    const knee = onward(hip, angles[0], 34);
    d.line(along(hip, knee), colour, 25);
  };
  const arm = (angles) => limb(shoulder, angles, [40, 38], skin, 13, skin, hand);
  arm(arms[0]);
  leg(legs[0], bottom, shoes);
  d.line(along(hip, shoulder), top, 34);
  leg(legs[1], bottom, shoes);
  const head = onward(shoulder, 180 - lean, 36);
  d.line(along(shoulder, head), skin, 14);
  d.circle(head[0], head[1], 21, skin);
  d.path(`M${head[0] - 22} ${head[1] + 4} a22 22 0 0 1 40 -14 q-14 8 -30 6 q-4 8 -10 8 Z`, hair);
  arm(arms[1]);
}
export const RUN = {
  lean: 14,
  arms: [
    [50, 130],
    [-55, 40],
  ],
  legs: [
    [-42, -88],
    [38, 2],
  ],
};
export const STRIDE = {
  lean: 14,
  arms: [
    [-50, 35],
    [48, 125],
  ],
  legs: [
    [46, 6],
    [-30, -75],
  ],
};
