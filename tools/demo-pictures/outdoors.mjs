import { along, figure, RUN, STRIDE } from './draw.mjs';

const RUNNER = { skin: '#8a5a3b', hair: '#2b1c16', top: '#e8503a', bottom: '#23252b', shoes: '#fff4e6' };
const FRIEND = { skin: '#e0a983', hair: '#5b3624', top: '#3b82a0', bottom: '#2d2f3a', shoes: '#ffd166' };

function sun(d, x, y, r, colour) {
  d.circle(
    x,
    y,
    r * 3.4,
    d.gradient(
      [
        [0, colour, 0.55],
        [1, colour, 0],
      ],
      { radial: [0.5, 0.5, 0.5] },
    ),
  );
  d.circle(x, y, r, colour);
}

function pine(d, x, y, h, fill) {
  for (const [k, w] of [
    [1, 0.34],
    [0.72, 0.27],
    [0.45, 0.2],
  ]) {
    d.path(
      `M${x - h * w} ${y - h * (1 - k) * 1.0} L${x} ${y - h * (1 - k) - h * 0.5} L${x + h * w} ${y - h * (1 - k)} Z`,
      fill,
    );
  }
}

/** A run at sunrise. */
export function sunrise(d, { pair = false } = {}) {
  d.background('#2f3b69', '#c2607a', '#ff9d6c', '#ffd9a0');
  sun(d, d.width * 0.68, d.height * 0.52, 74, '#fff1c9');
  d.hills(d.height * 0.58, 60, '#8d5a7d', 1.4)
    .hills(d.height * 0.66, 52, '#6a456f', 2.2)
    .hills(d.height * 0.76, 38, '#43335a', 1.6);
  for (let i = 0; i < 26; i++)
    pine(d, d.between(0, d.width), d.height * d.between(0.72, 0.8), d.between(50, 110), '#35294c');
  d.path(
    `M${d.width * 0.1} ${d.height} C${d.width * 0.4} ${d.height * 0.86} ${d.width * 0.5} ${d.height * 0.8} ${d.width * 0.74} ${d.height * 0.75} L${d.width * 0.76} ${d.height * 0.755} C${d.width * 0.66} ${d.height * 0.82} ${d.width * 0.64} ${d.height * 0.88} ${d.width * 0.62} ${d.height} Z`,
    '#e8b48a',
  );
  d.hills(d.height * 0.97, 20, '#2a2240', 2);
  d.group(`translate(${d.width * 0.36} ${d.height * 0.93}) scale(1.75)`, () => figure(d, RUNNER, RUN));
  if (pair)
    d.group(`translate(${d.width * 0.52} ${d.height * 0.9}) scale(1.5)`, () => figure(d, FRIEND, STRIDE));
}

/** A lake in the morning, with a swimmer's buoy. */
export function lake(d) {
  d.background('#9fc7d8', '#d7e6e2', '#f6e3cf');
  sun(d, d.width * 0.3, d.height * 0.4, 60, '#fff6dd');
  d.path(
    `M0 ${d.height * 0.5} L${d.width * 0.16} ${d.height * 0.26} L${d.width * 0.3} ${d.height * 0.44} L${d.width * 0.46} ${d.height * 0.18} L${d.width * 0.66} ${d.height * 0.42} L${d.width * 0.82} ${d.height * 0.28} L${d.width} ${d.height * 0.46} L${d.width} ${d.height * 0.56} L0 ${d.height * 0.56} Z`,
    d.gradient([
      [0, '#7c93a8'],
      [1, '#a9bcc0'],
    ]),
  );
  d.path(`M${d.width * 0.46} ${d.height * 0.18} l-60 70 l32 -8 l24 26 l26 -30 l40 6 Z`, '#f4f7f6');
  d.hills(d.height * 0.53, 22, '#4d7069', 3);
  d.rect(
    0,
    d.height * 0.55,
    d.width,
    d.height * 0.45,
    d.gradient([
      [0, '#8fb7bf'],
      [0.5, '#4f8a99'],
      [1, '#28586b'],
    ]),
  );
  for (let i = 0; i < 60; i++) {
    const y = d.between(0.57, 0.98);
    const w = (y - 0.5) * d.between(120, 420);
    d.line(
      `M${d.between(-40, d.width)} ${y * d.height} h${w}`,
      '#fff',
      3,
      `opacity="${d.between(0.08, 0.35)}"`,
    );
  }
  const [x, y] = [d.width * 0.58, d.height * 0.74];
  d.ellipse(x, y + 16, 120, 12, '#fff', 'opacity=".35"')
    .ellipse(x + 150, y, 52, 34, '#f26a3d')
    .ellipse(x + 136, y - 12, 20, 10, '#ff9d74');
  d.line(`M${x + 98} ${y + 6} L${x + 40} ${y + 8}`, '#f7e7d4', 4);
  d.path(`M${x - 26} ${y + 8} a28 28 0 0 1 56 0 Z`, '#ffd166').path(
    `M${x + 20} ${y + 8} a12 12 0 0 1 12 0 Z`,
    '#e0a983',
  );
  d.line(`M${x - 30} ${y + 6} q-40 -54 -84 -12`, '#e0a983', 17);
}

/** A road through hills, and a bicycle. */
export function ride(d) {
  d.background('#bfe0ef', '#e9f3ee', '#fdeed6');
  sun(d, d.width * 0.8, d.height * 0.24, 52, '#fff3cf');
  d.hills(d.height * 0.5, 70, '#a6c9a8', 1.2)
    .hills(d.height * 0.6, 55, '#7fb083', 1.8)
    .hills(d.height * 0.72, 40, '#5b9468', 1.3);
  for (let i = 0; i < 14; i++) {
    const [x, y, r] = [d.between(0, d.width), d.height * d.between(0.6, 0.7), d.between(18, 38)];
    d.rect(x - 3, y, 6, 26, '#5c4632').circle(x, y - r * 0.4, r, '#3f7a55');
  }
  d.rect(0, d.height * 0.8, d.width, d.height * 0.2, '#5a5f68').rect(
    0,
    d.height * 0.79,
    d.width,
    10,
    '#e9e2d0',
  );
  for (let x = 30; x < d.width; x += 190) d.rect(x, d.height * 0.9, 96, 10, '#f6efdd', 'rx="5"');
  d.group(`translate(${d.width * 0.46} ${d.height * 0.865}) scale(1.5)`, () => {
    for (const x of [-95, 95])
      d.circle(x, 0, 62, 'none', 'stroke="#23252b" stroke-width="9"')
        .circle(x, 0, 55, 'none', 'stroke="#c8ccd2" stroke-width="2"')
        .circle(x, 0, 6, '#23252b');
    d.line(
      'M-95 0 L-48 -78 L48 -78 L0 0 Z M48 -78 L95 0 M-48 -78 L0 0 M-58 -104 L-36 -64 M44 -100 L54 -70 M30 -104 q22 -10 30 8',
      '#e8503a',
      9,
    );
    d.line('M-76 -106 h38', '#23252b', 10);
    d.line('M-52 -112 L14 -164 L44 -108', '#3b82a0', 34);
    d.line('M14 -160 L46 -104', '#e0a983', 13)
      .line('M-50 -108 L8 -70 L2 6', '#e0a983', 17)
      .line('M-50 -108 L-4 -80', '#23252b', 26)
      .line('M0 8 h24', '#fff4e6', 14);
    d.circle(34, -192, 21, '#e0a983').path('M10 -196 a25 25 0 0 1 50 -4 Z', '#ffd166');
  });
}

/** A route on a map. */
export function route(d) {
  d.rect(0, 0, d.width, d.height, '#f3ede2');
  d.path(
    `M${d.width * 0.72} 0 C${d.width * 0.6} ${d.height * 0.3} ${d.width * 0.86} ${d.height * 0.5} ${d.width * 0.74} ${d.height} L${d.width * 0.86} ${d.height} C${d.width * 0.98} ${d.height * 0.5} ${d.width * 0.72} ${d.height * 0.3} ${d.width * 0.84} 0 Z`,
    '#b9dbe8',
  );
  d.rect(d.width * 0.1, d.height * 0.14, d.width * 0.3, d.height * 0.3, '#cfe3bf', 'rx="40"').circle(
    d.width * 0.34,
    d.height * 0.36,
    40,
    '#b9dbe8',
  );
  d.rect(d.width * 0.42, d.height * 0.62, d.width * 0.24, d.height * 0.26, '#cfe3bf', 'rx="30"');
  for (let i = 0; i < 9; i++) {
    const y = d.height * (0.06 + i * 0.118);
    d.line(`M-20 ${y} L${d.width + 20} ${y + d.between(-70, 70)}`, '#fff', i % 3 === 1 ? 20 : 10);
    const x = d.width * (0.05 + i * 0.12);
    d.line(`M${x} -20 L${x + d.between(-60, 60)} ${d.height + 20}`, '#fff', i % 4 === 2 ? 20 : 10);
  }
  const points = [
    [0.2, 0.8],
    [0.22, 0.55],
    [0.14, 0.4],
    [0.22, 0.2],
    [0.4, 0.16],
    [0.46, 0.36],
    [0.58, 0.42],
    [0.66, 0.24],
    [0.71, 0.42],
    [0.68, 0.7],
    [0.54, 0.86],
    [0.36, 0.78],
    [0.2, 0.8],
  ].map(([x, y]) => [x * d.width, y * d.height]);
  let path = along(points[0]);
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    path += ` Q${a[0] + (b[0] - a[0]) * 0.5 + (i % 2 ? 24 : -24)} ${a[1] + (b[1] - a[1]) * 0.4} ${b.join(' ')}`;
  }
  d.line(path, '#fff', 26).line(path, '#e8503a', 14);
  d.circle(...points[0], 26, '#fff').circle(...points[0], 16, '#2f9e6e');
  const [x, y] = points[7];
  d.path(`M${x} ${y} c-14 -26 -34 -42 -34 -68 a34 34 0 0 1 68 0 c0 26 -20 42 -34 68 Z`, '#23252b').circle(
    x,
    y - 68,
    14,
    '#fff',
  );
  d.rect(d.width * 0.04, d.height * 0.86, d.width * 0.3, d.height * 0.1, '#fff', 'rx="26"');
  let bars = '';
  for (let i = 0; i < 22; i++)
    bars += `<rect x="${d.width * 0.055 + i * d.width * 0.0125}" y="${d.height * 0.945 - 14 - 50 * Math.abs(Math.sin(i * 0.5 + 0.6))}" width="10" height="${14 + 50 * Math.abs(Math.sin(i * 0.5 + 0.6))}" rx="4" fill="${i > 14 && i < 19 ? '#e8503a' : '#f3b9a8'}"/>`;
  d.add(bars);
}

/** A running track. */
export function track(d) {
  d.rect(0, 0, d.width, d.height, '#c8553d');
  d.path(
    `M0 0 H${d.width} V${d.height * 0.34} H0 Z`,
    d.gradient([
      [0, '#f5c6a0'],
      [0.6, '#f9dfc2'],
      [1, '#6f9b6a'],
    ]),
  );
  d.hills(d.height * 0.31, 26, '#4d7f5d', 3);
  d.rect(
    0,
    d.height * 0.33,
    d.width,
    d.height * 0.67,
    d.gradient([
      [0, '#b5472f'],
      [1, '#d9674a'],
    ]),
  );
  const vanish = [d.width * 0.62, d.height * 0.3];
  for (let i = -6; i <= 8; i++) {
    const x = d.width * (0.5 + i * 0.17);
    d.path(
      `M${vanish[0] - 1} ${d.height * 0.33} L${vanish[0] + 1} ${d.height * 0.33} L${x + 8} ${d.height} L${x - 8} ${d.height} Z`,
      '#fff3e6',
      'opacity=".9"',
    );
  }
  d.group(`translate(${d.width * 0.44} ${d.height * 0.9}) scale(2.1)`, () => {
    d.ellipse(6, 14, 90, 10, '#7e2d1d', 'opacity=".45"');
    figure(
      d,
      { skin: '#c68758', hair: '#20140f', top: '#ffd166', bottom: '#2a3a5e', shoes: '#ffffff' },
      STRIDE,
    );
  });
}
