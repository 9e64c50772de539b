// The list of records: search, filters, sorting; the other parts of the page follow the listed records.

const page = 200;
const chosen = {row: null, variant: "", change: "", record: null};
let shown = page, key = "rank", direction = 1, found = [];

const measures = [
  {name: "error / tolerance", value: record => record.ratio, limit: 0, note: "Of the worst number of each combination; from 1 on it is wrong."},
  {name: "relative error", value: record => record.relative, note: "Of the worst number of each combination."},
  {name: "error in ULP", value: record => record.ulp, note: "Of the worst number, in units of the last place of its type."},
  {name: "oracle against oracle", value: record => record.apart, note: "How far a second oracle is from the first, relatively, where two were asked."},
  {name: "digits lost", value: record => record.digits_lost, width: 1, note: "Decimal digits that rounding took from right derivatives; those that lost none are not counted."},
  {name: "Taylor slope", value: record => record.slope, width: 0.25, note: "Order of the Taylor remainder, where steps were recorded: 2 where the derivative is right and the function is curved, 1 where it is wrong."},
  {name: "gradient / primal", value: record => record.cost, width: 1, note: "Time of the derivative in units of the function's, where a call takes 250 ns or more."}];

function fill(select, values) {
  for (const value of [...new Set(values)].sort()) select.append(element("option", {}, value));
}

function chips_of(record) {
  const chips = [element("span", {class: "chip " + record.style}, record.x ? "caught" : record.outcome === "failed" ? record.verdict : record.outcome)];
  if (record.change) chips.push(element("span", {class: "chip plain"}, record.change));
  if (record.k !== undefined) chips.push(element("span", {class: "chip plain"}, record.k ? "known" : "new"));
  return chips;
}

function row_of(record) {
  const [row, parts] = copy_of("row-template");
  parts.state.append(...chips_of(record));
  parts.what.append(...broken(record.what));
  for (const part of ["combination", "oracle"]) parts[part].textContent = record[part];
  for (const part of ["ratio", "ulp", "cost"]) parts[part].textContent = digits(record[part]);
  row.dataset.record = record.index;
  row.onclick = () => toggle(row, record);
  row.onkeydown = event => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); toggle(row, record); } };
  return row;
}

function toggle(row, record) {
  const open = row.getAttribute("aria-expanded") === "true";
  row.setAttribute("aria-expanded", String(!open));
  if (open) {
    row.nextSibling.querySelectorAll("canvas").forEach(forget);
    row.nextSibling.remove();
    return;
  }
  const [details, draw_plots] = details_of(record);
  row.after(details);
  draw_plots();
}

function render() {
  by("rows").querySelectorAll("canvas").forEach(forget);
  by("rows").replaceChildren(...found.slice(0, shown).map(row_of));
  by("count").textContent = found.length + " of " + records.length;
  by("more").hidden = found.length <= shown;
}

function value_of(record) {
  const value = record[key];
  return typeof value === "number" && Number.isNaN(value) ? Infinity : value === null ? -1 : value;
}

function update() {
  const words = by("search").value.toLowerCase().split(/\s+/).filter(word => word);
  const outcome = by("outcome").value, mode = by("mode").value, verdict = by("verdict").value;
  found = records.filter(record => (chosen.record === null || record.index === chosen.record) && (!outcome || record.outcome === outcome) &&
    (!mode || record.mode === mode) && (!verdict || record.verdict === verdict) && (!chosen.change || record.change === chosen.change) &&
    (chosen.row === null || record.f === chosen.row) && (!chosen.variant || record.variant === chosen.variant) &&
    words.every(word => record.text.includes(word)));
  found.sort((a, b) => { const x = value_of(a), y = value_of(b); return direction * (x < y ? -1 : x > y ? 1 : 0) || a.index - b.index; });
  shown = page;
  render();
  show_chosen();
  show_distribution();
}

/// Clears a filter that is set already.
function choose(what) {
  const is_same = Object.entries(what).every(([name, value]) => chosen[name] === value);
  const nothing = {row: null, variant: "", change: "", record: null};
  if (!("record" in what)) chosen.record = null;
  for (const name of Object.keys(what)) chosen[name] = is_same ? nothing[name] : what[name];
  show_matrix();
  update();
  if (chosen.record !== null && found.length === 1) open_record();
}

function open_record() {
  const row = by("rows").firstElementChild;
  toggle(row, found[0]);
  row.scrollIntoView({block: "start"});
}

/// Each choice of a click, to be taken away by another one.
function show_chosen() {
  const names = {row: value => rows[value].name, variant: value => value, change: value => value, record: value => "record " + (value + 1)};
  by("chosen").replaceChildren();
  for (const [name, in_words] of Object.entries(names)) {
    if (chosen[name] === null || chosen[name] === "") continue;
    const button = element("button", {"aria-pressed": "true"}, in_words(chosen[name]) + " ✕");
    button.onclick = () => {
      if (name === "record") history.replaceState(null, "", location.pathname + location.search);
      choose({[name]: chosen[name]});
    };
    by("chosen").append(button);
  }
  for (const button of by("changes").querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.change === chosen.change));
}

function show_distribution() {
  const measure = measures[by("measure").selectedIndex];
  if (!measure) return;
  const numbers = found.map(measure.value).filter(value => value !== null);
  histogram(by("distribution"), numbers, measure);
  by("measure-note").textContent = measure.note + " " + numbers.length + " of the " + found.length + " records listed below.";
}

function show_changes() {
  if (!data.changes) return;
  by("changed").hidden = false;
  by("missing").textContent = data.missing.join("\n");
  by("missing").parentElement.hidden = data.missing.length === 0;
  if (data.changes.length === 0) by("changes").append("Nothing changed.");
  for (const [name, count] of data.changes) {
    const button = element("button", {"aria-pressed": "false", "data-change": name}, name + ": " + count);
    button.disabled = !records.some(record => record.change === name);
    button.onclick = () => choose({change: name});
    by("changes").append(button);
  }
}

function show_past() {
  if (!data.nights || data.nights.length === 0) return;
  by("past").hidden = false;
  draw_nights(by("nights"), data.nights);
  const last = data.nights[data.nights.length - 1];
  by("last-night").textContent = data.nights.length + " nights; the last, of " + last[0] + ": " + last[3] + " combinations, " + last[5] + " failed, " + last[6] + " undecided.";
}

/// `#record-12` is the page of one record.
function follow_link() {
  const link = /^#record-(\d+)$/.exec(location.hash);
  if (link && Number(link[1]) >= 1 && Number(link[1]) <= records.length && chosen.record !== Number(link[1]) - 1) {
    Object.assign(chosen, {row: null, variant: "", change: ""});
    for (const id of ["search", "outcome", "mode", "verdict"]) by(id).value = "";
    choose({record: Number(link[1]) - 1});
  }
}

if (records.length > 0) {
  for (const id of ["matrix-card", "distribution-card", "records-card"]) by(id).hidden = false;
  fill(by("mode"), records.map(record => record.mode));
  fill(by("verdict"), records.map(record => record.verdict));
  for (const measure of measures)
    if (measure === measures[0] || records.some(record => measure.value(record) !== null)) by("measure").append(element("option", {}, measure.name));
  for (let index = measures.length - 1; index > 0; --index)
    if (!records.some(record => measures[index].value(record) !== null)) measures.splice(index, 1);
  by("measure").addEventListener("input", show_distribution);
  for (const id of ["search", "outcome", "mode", "verdict"]) by(id).addEventListener("input", update);
  for (const button of document.querySelectorAll("#records th button"))
    button.onclick = () => { direction = key === button.dataset.key ? -direction : ["ratio", "ulp", "cost"].includes(button.dataset.key) ? -1 : 1; key = button.dataset.key; update(); };
  by("more").onclick = () => { shown += page; render(); };
  show_changes();
  show_past();
  show_matrix();
  update();
  addEventListener("hashchange", follow_link);
  follow_link();
}
document.documentElement.dataset.ready = String(Math.round(performance.now()));
