// Functions by modes, widths and forms, and of one function its activities. Clicks choose what is listed: `choose` is
// that of the list.

const rows_at_once = 25, most_squares = 48;
let rows_shown = rows_at_once;

const rows = data.rows.map((row, index) => ({...row, index, cells: new Map(), failed: 0, undecided: 0}));
for (const record of records) {
  const row = rows[record.f];
  if (!row.cells.has(record.variant)) row.cells.set(record.variant, []);
  row.cells.get(record.variant).push(record);
  row.failed += record.outcome === "failed";
  row.undecided += record.outcome === "undecided";
}
// Failures first, of those the project's functions before random ones.
const is_drawn = row => /^(function\/|programs$)/.test(row.name);
const row_order = [...rows].sort((a, b) => (b.failed > 0) - (a.failed > 0) || is_drawn(a) - is_drawn(b) || b.failed - a.failed || b.undecided - a.undecided || a.index - b.index);
const variants = [...new Set(records.map(record => record.variant))].sort((a, b) => place_of(mode_of(a)) - place_of(mode_of(b)) || mode_of(a).localeCompare(mode_of(b)) || a.length - b.length || a.localeCompare(b));

function mode_of(variant) {
  return variant.split(",")[0];
}

function place_of(mode) {
  return mode === "forward" ? 0 : mode === "reverse" ? 1 : 2;
}

/// Without the mode: `plain`, `width 3`, `split, runtime activity`.
function form_of(variant) {
  return variant.split(", ").slice(1).join(", ") || "plain";
}

/// A line of modes above one of forms.
function head_of(columns, before, form) {
  const modes = [...new Set(columns.map(mode_of))];
  return [element("tr", {}, ...before.map(() => element("th", {})), ...modes.map(mode =>
    element("th", {class: "mode", colspan: columns.filter(variant => mode_of(variant) === mode).length}, mode))),
  element("tr", {}, ...before, ...columns.map(form))];
}

function title_of(record) {
  return record.combination + ": " + (record.x ? "caught, " : "") + record.verdict;
}

/// A square for each combination, or of many the number of each outcome.
function cell_of(row, variant) {
  const some = row.cells.get(variant);
  if (!some) return element("td", {});
  const button = element("button", {class: some.length > 12 ? "cells many" : "cells", "aria-pressed": String(chosen.row === row.index && chosen.variant === variant),
    "aria-label": row.name + ", " + variant + ": " + some.length + " combinations"});
  if (some.length <= most_squares)
    for (const record of some) button.append(element("span", {class: "cell " + record.style, title: title_of(record), "data-record": record.index}));
  else
    for (const style of ["failed", "undecided", "caught", "passed"]) {
      const count = some.filter(record => record.style === style).length;
      if (count) button.append(element("span", {class: "chip " + style}, String(count)));
    }
  button.onclick = () => choose({row: row.index, variant});
  return element("td", {}, button);
}

function row_of_matrix(row) {
  const name = element("button", {class: "mono", "aria-pressed": String(chosen.row === row.index && !chosen.variant)}, ...broken(row.name));
  name.onclick = () => choose({row: row.index, variant: ""});
  return element("tr", {}, element("td", {}, name, row.file ? element("span", {class: "faint"}, " " + row.file) : null), ...variants.map(variant => cell_of(row, variant)));
}

function show_matrix() {
  const form = variant => {
    const button = element("button", {"aria-label": variant}, form_of(variant));
    button.onclick = () => choose({row: null, variant});
    return element("th", {"aria-selected": String(chosen.row === null && chosen.variant === variant)}, button);
  };
  by("matrix").tHead.replaceChildren(...head_of(variants, [element("th", {}, "function")], form));
  by("matrix").tBodies[0].replaceChildren(...row_order.slice(0, rows_shown).map(row_of_matrix));
  by("more-rows").hidden = row_order.length <= rows_shown;
  show_activities();
}

/// Of the chosen function: a line for each choice of activities, a square for each mode, width and form.
function show_activities() {
  const row = chosen.row === null ? null : rows[chosen.row], is_one_function = row && row.parameters.length > 0 && !is_drawn(row);
  by("activities").hidden = !is_one_function;
  if (!is_one_function) return;
  by("activities-of").textContent = "Activities of " + row.name;
  by("unseen").textContent = row.unseen.length ? "Not seen: " + row.unseen.join("; ") : "";
  const lines = new Map(), columns = variants.filter(variant => row.cells.has(variant));
  for (const [variant, some] of row.cells)
    for (const record of some) {
      const key = record.a + ">" + (record.ra || "");
      if (!lines.has(key)) lines.set(key, {record, of: new Map()});
      if (!lines.get(key).of.has(variant)) lines.get(key).of.set(variant, []);
      lines.get(key).of.get(variant).push(record);
    }
  const has_result = [...lines.values()].some(line => line.record.ra);
  const activity = letter => element("td", letter === "C" ? {class: "const"} : {}, letter ? activities[letter] : "");
  const before = [...row.parameters.map(name => element("th", {class: "mono"}, name)), ...(has_result ? [element("th", {}, "result")] : [])];
  by("activity-table").tHead.replaceChildren(...head_of(columns, before, variant => element("th", {}, form_of(variant))));
  by("activity-table").tBodies[0].replaceChildren(...[...lines.values()].map(({record, of}) => element("tr", {},
    ...[...record.a].map(activity), has_result ? activity(record.ra) : null, ...columns.map(variant => {
      const some = of.get(variant) || [], cell = element("div", {class: some.length > 1 ? "cells several" : "cells"});
      for (const one of some) {
        const square = element("button", {class: "cell " + one.style, title: title_of(one), "aria-label": title_of(one), "data-record": one.index});
        square.onclick = () => choose({record: one.index});
        cell.append(square);
      }
      return element("td", {}, cell);
    }))));
}

by("more-rows").onclick = () => { rows_shown += 4 * rows_at_once; show_matrix(); };
