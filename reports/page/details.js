// The details of one record.

const letters_in_words = {p: "passed", f: "failed", u: "undecided", n: "no answer", ".": "not run"};

function add_facts(list, facts) {
  for (const [name, value] of facts)
    if (value !== undefined && value !== null && value !== "" && value.length !== 0)
      list.append(element("dt", {}, name), element("dd", {}, Array.isArray(value) ? value.join("\n") : value));
  list.hidden = !list.hasChildNodes();
}

function fill_elements(parts, record) {
  const lines = record.elements || (record.e ? [record.e] : []), has_second = lines.some(line => line.length > 7);
  parts.elements.hidden = lines.length === 0;
  parts["second-head"].hidden = parts["apart-head"].hidden = !has_second;
  for (const line of lines) {
    const cells = [line[0], exact(line[1]), exact(line[2]), ...line.slice(3, 7).map(digits)];
    if (has_second) cells.push(line.length > 7 ? exact(line[7]) : "", line.length > 7 ? digits(Math.abs(number_in(line[7]) - number_in(line[2]))) : "");
    parts.elements.querySelector("tbody").append(element("tr", {}, ...cells.map((text, column) => element("td", {class: column ? "number" : "mono"}, text))));
  }
}

function fill_witnesses(parts, record) {
  const witnesses = record.witnesses || [];
  parts.witnesses.hidden = witnesses.length === 0;
  for (const [name, value, error, slope] of witnesses)
    parts.witnesses.querySelector("tbody").append(element("tr", {}, element("td", {}, name), element("td", {class: "number"}, exact(value)),
      element("td", {class: "number"}, error === 0 ? "" : digits(error)), element("td", {class: "number"}, digits(slope))));
}

function fill_strip(part, record) {
  const letters = (data.letters || {})[record.what];
  part.hidden = !letters;
  [...(letters || "")].forEach((letter, index) => part.querySelector(".strip").append(
    element("i", {class: letter, title: data.nights[index][0] + ", seed " + data.nights[index][1] + ": " + letters_in_words[letter]}, letter === "." ? "" : letter)));
}

function time_in_words(record) {
  if (!record.t) return null;
  const [low, middle, high, derivative_low, derivative_middle, derivative_high, calls] = record.t;
  return "function " + nanoseconds(middle) + " (" + nanoseconds(low) + " to " + nanoseconds(high) + "), derivative " + nanoseconds(derivative_middle) + " (" +
    nanoseconds(derivative_low) + " to " + nanoseconds(derivative_high) + "), quartiles of " + calls + " calls each" +
    (record.cost === null ? "; too short for a ratio" : "; " + digits(record.cost) + " times the function's");
}

function fill_text(part, text) {
  part.hidden = !text;
  if (text) (part.querySelector("pre") || part).textContent = text;
}

function inputs_in_words(record) {
  return (record.inputs || []).map(([name, values]) => name + " = " + (values.length === 1 ? exact(values[0]) : "{" + values.map(exact).join(", ") + "}")).join("\n");
}

/// The plots are drawn when the row is in the page.
function details_of(record) {
  const [row, parts] = copy_of("details-template");
  fill_text(parts.detail, record.detail);
  add_facts(parts.why, [["Rule", record.rule], ["Odd one", record.odd], ["First wrong value", record.first], ["Hint", record.hints], ["Known failure", record.excuse],
    ["Since the baseline", record.was ? record.change + ": " + record.was : record.change]]);
  fill_elements(parts, record);
  fill_witnesses(parts, record);
  parts.studies.hidden = !record.st;
  if (record.st) parts["taylor-title"].textContent = "Taylor remainder" + (record.st.slope === null ? "" : ", of order " + digits(record.st.slope)) + (record.st.path ? ", of " + record.st.path : "");
  fill_text(parts.inputs, inputs_in_words(record));
  parts.inputs.querySelector("h3").textContent = record.outcome === "failed" ? "Inputs, shrunk as far as it still fails" : "Inputs";
  fill_text(parts.replay, record.replay);
  add_facts(parts.facts, [["Oracle", [record.oracle, record.q2 === undefined ? "" : data.words[record.q2]].filter(name => name).join(", and ")], ["Why no better one", record.reasons],
    ["Digits lost", record.lost], ["Time", time_in_words(record)], ["Heap of the derivative", record.h ? record.h[0] + " allocations, " + record.h[1] + " bytes at once" : null],
    ["Backend", record.backend], ["Not seen", record.row.unseen], ["Left out", record.row.effort], ["Notes", record.notes], ["Neighbours", record.neighbours]]);
  fill_strip(parts.nights, record);
  fill_text(parts.message, record.message);
  const [inputs, ir, gradients] = record.d.split(" ");
  parts.links.append(element("a", {href: "#record-" + (record.index + 1)}, "record " + (record.index + 1)),
    inputs ? "; inputs " + inputs + " → IR " + ir + " → gradient " + gradients + " → " + record.verdict : "");
  return [row, () => { if (record.st) draw_study(record, parts.steps, parts.taylor); }];
}
