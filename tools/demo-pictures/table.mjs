/** A bowl on a table. */
export function bowl(d) {
  d.rect(
    0,
    0,
    d.width,
    d.height,
    d.gradient(
      [
        [0, '#f0d9bd'],
        [1, '#e3c29c'],
      ],
      { x2: 1 },
    ),
  );
  for (let i = 0; i < 7; i++)
    d.line(
      `M0 ${d.height * i * 0.16 + 50} C${d.width * 0.3} ${d.height * i * 0.16 + 20} ${d.width * 0.6} ${d.height * i * 0.16 + 90} ${d.width} ${d.height * i * 0.16 + 40}`,
      '#cfa87c',
      4,
      'opacity=".5"',
    );
  const [x, y, r] = [d.width * 0.47, d.height * 0.52, 410];
  d.ellipse(x + 24, y + 34, r + 14, r + 8, '#7a5a3a', 'opacity=".28"')
    .circle(x, y, r, '#fbfaf5')
    .circle(x, y, r - 34, '#e9e4d6')
    .circle(x, y, r - 46, '#f6efdd');
  const slice = (from, to, colour) => {
    const at = (deg, k) =>
      `${x + Math.cos((deg * Math.PI) / 180) * k} ${y + Math.sin((deg * Math.PI) / 180) * k}`;
    d.path(`M${x} ${y} L${at(from, r - 52)} A${r - 52} ${r - 52} 0 0 1 ${at(to, r - 52)} Z`, colour);
  };
  const bits = (from, to, count, draw) => {
    for (let i = 0; i < count; i++) {
      const [deg, k] = [(d.between(from + 6, to - 6) * Math.PI) / 180, d.between(90, r - 80)];
      draw(x + Math.cos(deg) * k, y + Math.sin(deg) * k);
    }
  };
  slice(-90, -18, '#5d9a4f');
  slice(-18, 54, '#f0b04a');
  slice(54, 126, '#e9dcc3');
  slice(126, 198, '#d9583f');
  slice(198, 270, '#8c5a86');
  bits(-90, -18, 70, (a, b) =>
    d.ellipse(
      a,
      b,
      d.between(14, 34),
      d.between(10, 20),
      ['#7fbb63', '#4b8a46', '#98cf78'][Math.floor(d.chance() * 3)],
      `transform="rotate(${d.between(0, 180)} ${a} ${b})"`,
    ),
  );
  bits(-18, 54, 46, (a, b) =>
    d.rect(
      a - 20,
      b - 20,
      d.between(28, 46),
      d.between(28, 46),
      ['#f7c667', '#e99b33', '#f3b656'][Math.floor(d.chance() * 3)],
      `rx="9" transform="rotate(${d.between(0, 90)} ${a} ${b})"`,
    ),
  );
  bits(54, 126, 240, (a, b) =>
    d.ellipse(
      a,
      b,
      11,
      6,
      ['#fffaf0', '#f4ead6', '#dfcfae'][Math.floor(d.chance() * 3)],
      `transform="rotate(${d.between(0, 180)} ${a} ${b})"`,
    ),
  );
  bits(126, 198, 34, (a, b) =>
    d.circle(a, b, d.between(20, 34), '#e8503a').circle(a - 8, b - 8, 7, '#ff9a80'),
  );
  bits(198, 270, 60, (a, b) =>
    d.line(
      `M${a - 30} ${b} q30 ${d.between(-30, 30)} 60 0`,
      ['#a8709f', '#c493bb', '#7a4a76'][Math.floor(d.chance() * 3)],
      9,
    ),
  );
  d.ellipse(x, y, 118, 112, '#fffdf6')
    .circle(x + 6, y + 4, 54, '#f5a623')
    .circle(x - 10, y - 12, 16, '#ffd27d');
  d.group(`translate(${d.width * 0.84} ${d.height * 0.5}) rotate(6)`, () => {
    d.line('M0 -260 V260', '#9aa3ab', 20).line(
      'M-36 -330 V-210 M0 -340 V-210 M36 -330 V-210 M-36 -210 Q0 -170 36 -210',
      '#9aa3ab',
      14,
    );
  });
  d.rect(
    d.width * 0.89,
    d.height * 0.2,
    130,
    500,
    '#e8503a',
    'rx="10" opacity=".85" transform="rotate(3 1480 500)"',
  );
}

/** Coffee and a banana before a run. */
export function breakfast(d) {
  d.rect(
    0,
    0,
    d.width,
    d.height,
    d.gradient(
      [
        [0, '#9cc3c0'],
        [1, '#7eaeb0'],
      ],
      { x2: 1 },
    ),
  );
  for (let i = 0; i < 11; i++)
    d.line(`M${i * 160} 0 V${d.height}`, '#fff', 3, 'opacity=".22"').line(
      `M0 ${i * 160} H${d.width}`,
      '#fff',
      3,
      'opacity=".22"',
    );
  d.ellipse(d.width * 0.36 + 16, d.height * 0.5 + 22, 280, 276, '#2b4a4c', 'opacity=".25"')
    .circle(d.width * 0.36, d.height * 0.5, 280, '#fbf7ef')
    .circle(d.width * 0.36, d.height * 0.5, 214, '#eee6d8');
  const cup = [d.width * 0.36, d.height * 0.5];
  d.line(`M${cup[0] + 150} ${cup[1] - 20} q110 -20 104 60 q-10 60 -110 40`, '#e8503a', 34)
    .circle(...cup, 172, '#e8503a')
    .circle(...cup, 148, '#f8f1e4')
    .circle(
      ...cup,
      138,
      d.gradient(
        [
          [0, '#7b4a2b'],
          [1, '#4b2a17'],
        ],
        { radial: [0.4, 0.35, 0.8] },
      ),
    );
  d.path(
    `M${cup[0] - 64} ${cup[1] + 6} q30 -70 64 -20 q34 -50 64 20 q-20 50 -64 74 q-44 -24 -64 -74 Z`,
    '#e8c9a0',
  ).path(
    `M${cup[0] - 30} ${cup[1] + 10} q14 -34 30 -10 q16 -24 30 10 q-10 24 -30 36 q-20 -12 -30 -36 Z`,
    '#7b4a2b',
  );
  d.group(`translate(${d.width * 0.72} ${d.height * 0.46}) rotate(-18)`, () => {
    d.path(
      'M-190 -150 C-230 80 -60 260 210 220 C226 216 232 196 214 186 C40 190 -96 60 -150 -160 C-160 -186 -186 -180 -190 -150 Z',
      '#2b4a4c',
      'opacity=".22" transform="translate(14 22)"',
    );
    d.path(
      'M-190 -150 C-230 80 -60 260 210 220 C226 216 232 196 214 186 C40 190 -96 60 -150 -160 C-160 -186 -186 -180 -190 -150 Z',
      d.gradient(
        [
          [0, '#ffe08a'],
          [1, '#f0b93a'],
        ],
        { x2: 1 },
      ),
    );
    d.path('M-176 -120 C-190 70 -50 206 196 202', 'none', 'stroke="#d99a2b" stroke-width="8" opacity=".6"')
      .path('M-192 -150 l14 -54 l30 6 l-4 44 Z', '#7a5b2d')
      .circle(214, 204, 16, '#5b4323');
  });
  d.group(`translate(${d.width * 0.7} ${d.height * 0.82}) rotate(-4)`, () => {
    d.line('M-230 0 H-70 M70 0 H230', '#23252b', 62)
      .rect(-92, -72, 184, 144, '#23252b', 'rx="40"')
      .rect(-72, -54, 144, 108, '#101318', 'rx="26"');
    d.line('M-44 20 L-20 20 L-8 -14 L10 26 L22 4 L46 4', '#e8503a', 9);
  });
}

/** A page of a training log. */
export function notebook(d) {
  d.rect(
    0,
    0,
    d.width,
    d.height,
    d.gradient(
      [
        [0, '#b98a5e'],
        [1, '#9a6f47'],
      ],
      { x2: 1 },
    ),
  );
  for (let i = 0; i < 9; i++)
    d.line(
      `M0 ${i * 130 + 40} q${d.width / 2} ${d.between(-40, 40)} ${d.width} 0`,
      '#8a6140',
      5,
      'opacity=".45"',
    );
  d.group(`translate(${d.width * 0.5} ${d.height * 0.54}) rotate(-5)`, () => {
    d.rect(-500, -440, 1000, 920, '#3a2a1c', 'rx="18" opacity=".3"')
      .rect(-520, -470, 1000, 920, '#fffaf0', 'rx="14"')
      .rect(-520, -470, 90, 920, '#f3e9d6', 'rx="14"');
    for (let i = 0; i < 13; i++)
      d.circle(-476, -420 + i * 68, 13, '#b98a5e').line(`M-396 ${-300 + i * 62} H440`, '#cfe0e6', 4);
    d.line('M-390 -360 h300', '#23252b', 22).line('M-60 -360 h120', '#e8503a', 22);
    for (let row = 0; row < 6; row++) {
      const y = -240 + row * 108;
      d.rect(-388, y - 24, 44, 44, 'none', 'rx="8" stroke="#23252b" stroke-width="7"');
      if (row < 4) d.line(`M-380 ${y - 4} l14 16 l32 -40`, '#e8503a', 10);
      let x = -310;
      for (let word = 0; word < 4; word++) {
        const w = d.between(60, 190);
        d.line(`M${x} ${y} q${w / 4} -16 ${w / 2} 0 t${w / 2} 0`, row < 4 ? '#2d3a5e' : '#8b93a8', 9);
        x += w + 34;
        if (x > 320) break;
      }
    }
  });
  d.group(`translate(${d.width * 0.87} ${d.height * 0.6}) rotate(28)`, () =>
    d
      .rect(-22, -330, 44, 560, '#ffd166', 'rx="8"')
      .rect(-22, -380, 44, 60, '#f3a6a0', 'rx="14"')
      .path('M-22 230 H22 L0 300 Z', '#f4e3c8')
      .path('M-8 276 H8 L0 300 Z', '#23252b'),
  );
}
