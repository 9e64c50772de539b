// The records of the page's data with whole names, and small helpers.

const data = JSON.parse(document.getElementById("data").textContent);
const by = id => document.getElementById(id);

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes || {})) made.setAttribute(attribute, value);
  made.append(...children.filter(child => child !== null));
  return made;
}

/// A name with line breaks allowed behind its parts.
function broken(name) {
  return name.split(/(?<=[/:,@_])/).flatMap(part => [document.createElement("wbr"), part]);
}

/// A copy of the first element of a template, and its parts by name.
function copy_of(template) {
  const whole = by(template).content.cloneNode(true).firstElementChild, parts = {};
  for (const part of whole.querySelectorAll("[data-part]")) parts[part.dataset.part] = part;
  return [whole, parts];
}

/// Numbers that JSON has no form for come as text.
function number_in(value) {
  return typeof value === "number" ? value : value === undefined || value === null ? NaN : Number(value.replace("inf", "Infinity"));
}

function digits(value) {
  if (value === undefined || value === null) return "";
  if (typeof value !== "number" || !Number.isFinite(value)) return String(value).replace("Infinity", "inf");
  const size = Math.abs(value);
  return value === 0 ? "0" : size < 1e-3 || size >= 1e6 ? value.toExponential(2) : String(Number(value.toPrecision(3)));
}

/// With all its digits, and the sign of a zero.
function exact(value) {
  return Object.is(value, -0) ? "-0" : String(value);
}

function nanoseconds(value) {
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]])
    if (value >= size) return digits(value / size) + " " + unit;
  return digits(value) + " ns";
}

const outcomes = ["passed", "failed", "undecided"], ranks = {failed: 0, undecided: 1, passed: 2};
const activities = {D: "Duplicated", N: "DuplicatedNoNeed", A: "Active", C: "Const"};

/// `reverse, width 3, split`
function variant_of(record) {
  return record.mode + (record.width === 1 ? "" : ", width " + record.width) + (record.split ? ", split" : "") +
    (record.runtime_activity ? ", runtime activity" : "");
}

/// `reverse: f(Duplicated x, Const n) -> Active`
function combination_of(record) {
  const named = [...record.a].map((letter, index) => activities[letter] + (record.parameters[index] ? " " + record.parameters[index] : ""));
  return record.mode + ": " + record.name + "(" + named.join(", ") + ")" + (record.ra ? " -> " + activities[record.ra] : "") +
    variant_of(record).slice(record.mode.length);
}

function whole(record, index) {
  const words = data.words, worst = record.e;
  record.index = index;
  record.row = data.rows[record.f];
  record.what = words[record.w];
  record.name = words[record.n];
  record.parameters = words[record.p] ? words[record.p].split(",") : [];
  record.mode = words[record.m];
  record.width = record.wd || 1;
  record.split = record.s === 1;
  record.runtime_activity = record.r === 1;
  record.variant = variant_of(record);
  record.combination = combination_of(record);
  record.outcome = outcomes[record.o];
  record.rank = ranks[record.outcome];
  record.style = record.x ? "caught" : record.outcome;
  record.verdict = words[record.v];
  record.oracle = words[record.q];
  record.ratio = worst && number_in(worst[6]) > 0 ? number_in(worst[3]) / number_in(worst[6]) : null;
  record.ulp = worst ? number_in(worst[5]) : null;
  record.relative = worst ? number_in(worst[4]) : null;
  record.apart = worst && worst.length > 7 ? Math.abs(number_in(worst[7]) - number_in(worst[2])) / Math.max(Math.abs(number_in(worst[2])), 1e-300) : null;
  record.cost = record.c === undefined ? null : record.c;
  record.digits_lost = record.l === undefined ? null : record.l;
  record.slope = record.st ? record.st.slope : null;
  record.change = record.ch || "";
  record.text = [record.what, record.combination, record.verdict, record.oracle, record.change, record.detail || "", record.rule || ""].join("\n").toLowerCase();
}

const records = data.records;
records.forEach(whole);
