/** The pages' look is Pulso's: warm greys, ink, and the accent for the main action alone. */
export const STYLE = `
:root {
  --body: #faf8f6; --surface: #ffffff; --sunken: #f4f1ee; --text: #1f1b18; --dimmed: #6b625b;
  --border: #dcd6d0; --main: #cf412b; --on-main: #ffffff; --focus: #1f1b18;
  --error: #b42318; --error-soft: #fdecea; --good: #1a6b3c; --note: #fff3d6; --on-note: #5c3b00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --body: #171412; --surface: #211d1b; --sunken: #2c2724; --text: #ede7e1; --dimmed: #a99f96;
    --border: #3a3430; --main: #f47c68; --on-main: #1f1b18; --focus: #ede7e1;
    --error: #ff9a8d; --error-soft: #3a1f1a; --good: #84d5a3; --note: #3d3013; --on-note: #f5dfae;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--body); color: var(--text); min-height: 100dvh; overflow-wrap: break-word;
  font: 1rem/1.5 'Figtree Variable', Figtree, system-ui, -apple-system, 'Segoe UI', sans-serif;
}
.simulator { margin: 0; padding: 8px 16px; background: var(--note); color: var(--on-note); text-align: center; font-size: .875rem; }
main { margin: 0 auto; padding: 24px 16px 48px; }
.narrow { max-width: 480px; }
.wide { max-width: 1120px; }
h1, h2, h3 { font-weight: 650; text-wrap: balance; margin: 0; line-height: 1.3; }
h1 { font-size: 1.375rem; }
h2 { font-size: 1.125rem; }
p { margin: 0; }
a { color: inherit; text-underline-offset: 3px; }
main > * + *, .card > * + *, form > * + * { margin-top: 16px; }
form > input[type=hidden] + button, form > input[type=hidden] { margin-top: 0; }
.dimmed { color: var(--dimmed); }
.small { font-size: .875rem; font-weight: 400; }
.back { margin-bottom: 16px; }
.amount { font-size: 2rem; font-weight: 650; margin-top: 4px; }
.card { background: var(--surface); border: 1px solid var(--border); border-radius: 12px; padding: 20px; }
.checkout { display: grid; gap: 24px; }
.checkout > * { margin-top: 0; min-width: 0; }
@media (min-width: 900px) { .checkout { grid-template-columns: 1fr 1fr; gap: 48px; align-items: start; } }
label { display: block; font-weight: 550; }
label > input, label > select { margin-top: 4px; }
input, select {
  display: block; width: 100%; height: 44px; padding: 0 12px; font: inherit; font-weight: 400; color: inherit;
  background: var(--surface); border: 1px solid var(--border); border-radius: 8px;
}
input[type=checkbox] { display: inline-block; width: 20px; height: 20px; vertical-align: -4px; margin: 0 8px 0 0; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
.pair > * { margin-top: 0; }
.row { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; justify-content: space-between; }
.row > *, .actions > * { margin-top: 0; }
.actions { display: flex; flex-wrap: wrap; gap: 8px; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 44px; padding: 0 16px; font: inherit;
  font-weight: 600; color: var(--text); background: var(--surface); border: 1px solid var(--border); border-radius: 8px;
  cursor: pointer; text-decoration: none;
}
button.main { background: var(--main); color: var(--on-main); border-color: transparent; }
.checkout button.main, .full { width: 100%; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.notice { padding: 12px 16px; border-radius: 8px; background: var(--sunken); }
.notice.error { background: var(--error-soft); color: var(--error); }
.notice.good { color: var(--good); }
.cards { list-style: none; padding: 0; margin: 0; }
.cards li { display: flex; flex-wrap: wrap; align-items: center; column-gap: 12px; }
.cards a { padding: 10px 0; font-variant-numeric: tabular-nums; }
.cards span { flex: 1 1 10em; line-height: 1.3; }
dl { margin: 0; display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; }
dt { color: var(--dimmed); }
dd { margin: 0; text-align: right; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { text-align: left; padding: 8px 12px 8px 0; border-bottom: 1px solid var(--border); vertical-align: middle; white-space: nowrap; }
th { color: var(--dimmed); font-weight: 550; }
code { font-size: .8125rem; word-break: break-all; }
.grid { display: grid; gap: 16px; }
.grid > * { margin-top: 0; min-width: 0; }
@media (min-width: 900px) { .grid { grid-template-columns: 1fr 1fr; } }
`;
