/**
 * What dashboards are made of. A panel is written as `{ title, unit, expr }`, with several lines as `lines: { <legend>: <expr> }`;
 * the rest of Grafana's schema is added here.
 *
 * @typedef {{ title: string, unit: string, about?: string, expr?: string, legend?: string, lines?: Record<string, string> }} Panel
 * @typedef {{ title: string, panels: Panel[] }} Row
 */

/** Grafana's schema of dashboards that this follows; later versions migrate it when they read it. */
const SCHEMA_VERSION = 39;
const WIDTH = 24;
const HEIGHT = 8;
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
const DATASOURCE_CHOICE = {
  name: 'datasource',
  label: 'Prometheus',
  type: 'datasource',
  query: 'prometheus',
  current: {},
  hide: 0,
};
const OTHERS = {
  type: 'dashboards',
  title: 'Pulso',
  tags: ['pulso'],
  asDropdown: true,
  includeVars: true,
  keepTime: true,
};

/** @param {{ name: string, title: string, rows: Row[] }} dashboard */
export function dashboard({ name, title, rows }) {
  let id = 0;
  let y = 0;
  const panels = rows.flatMap((row) => {
    const header = { ...rowOf(row.title), id: (id += 1), gridPos: { h: 1, w: WIDTH, x: 0, y } };
    y += 1;
    const perLine = Math.min(3, row.panels.length);
    const w = WIDTH / perLine;
    const placed = row.panels.map((panel, index) => {
      const below = Math.floor(index / perLine) * HEIGHT;
      const gridPos = { h: HEIGHT, w, x: (index % perLine) * w, y: y + below };
      return { ...seriesOf(panel), id: (id += 1), gridPos };
    });
    y += Math.ceil(row.panels.length / perLine) * HEIGHT;
    return [header, ...placed];
  });
  return {
    uid: name,
    title,
    tags: ['pulso'],
    schemaVersion: SCHEMA_VERSION,
    version: 1,
    editable: true,
    timezone: 'utc',
    refresh: '30s',
    time: { from: 'now-1h', to: 'now' },
    templating: { list: [DATASOURCE_CHOICE] },
    annotations: { list: [] },
    links: [OTHERS],
    panels,
  };
}

const rowOf = (title) => ({ type: 'row', title, collapsed: false, panels: [] });

/** @param {Panel} panel */
function seriesOf({ title, unit, about, expr, legend = '', lines = { [legend]: expr } }) {
  return {
    type: 'timeseries',
    title,
    ...(about && { description: about }),
    datasource: DATASOURCE,
    fieldConfig: {
      defaults: { unit, min: 0, custom: { fillOpacity: 8, lineWidth: 2, showPoints: 'never' } },
      overrides: [],
    },
    options: {
      legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
    targets: Object.entries(lines).map(([legendFormat, text], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: DATASOURCE,
      expr: text,
      legendFormat,
    })),
  };
}
