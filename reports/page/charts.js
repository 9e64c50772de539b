// Plots, by Chart.js. Colours are those of the page, so all plots are drawn again when it turns dark or light.

const drawn = new Map(); // Canvas -> function that gives its configuration.
const live = new Map();

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

function draw(canvas, configuration) {
  drawn.set(canvas, configuration);
  if (live.has(canvas)) live.get(canvas).destroy();
  Chart.defaults.color = colour("faint");
  Chart.defaults.borderColor = colour("line");
  Chart.defaults.animation = false;
  Chart.defaults.maintainAspectRatio = false;
  Chart.defaults.font.family = "system-ui, 'DejaVu Sans', sans-serif";
  Chart.defaults.font.size = 11;
  Object.assign(Chart.defaults.plugins.legend.labels, {usePointStyle: true, boxWidth: 10, boxHeight: 7});
  live.set(canvas, new Chart(canvas, configuration()));
}

function forget(canvas) {
  if (live.has(canvas)) live.get(canvas).destroy();
  live.delete(canvas);
  drawn.delete(canvas);
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { for (const [canvas, configuration] of drawn) draw(canvas, configuration); });

const is_power = value => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;

/// Decades alone have a line, of many every second, third, ...
function keep_decades(scale) {
  const decades = scale.ticks.filter(tick => is_power(tick.value)), stride = Math.ceil(decades.length / 9);
  scale.ticks = decades.filter(tick => Math.round(Math.log10(tick.value)) % stride === 0);
}

function axis(title, type, decade = value => "1e" + Math.round(Math.log10(value))) {
  const scale = {type, title: {display: true, text: title}};
  if (type === "logarithmic") Object.assign(scale, {afterBuildTicks: keep_decades, ticks: {callback: decade, autoSkip: false, maxRotation: 0}});
  return scale;
}

/// Curves over logarithmic axes; points that have no place on them are left out.
function curves(series, x, y, linear) {
  const palette = ["mark", "bad", "good", "planted", "unsure", "faint"];
  const has_place = point => Number.isFinite(point.x) && point.y > 0 && Number.isFinite(point.y) && (linear || point.x > 0);
  return () => ({
    type: "scatter",
    data: {datasets: series.map((one, index) => ({
      label: one.name, pointStyle: one.guide ? "line" : "circle", data: one.points.filter(has_place), showLine: true, borderWidth: one.guide ? 1 : 1.6, pointRadius: one.guide ? 0 : 2.2,
      borderDash: one.guide ? [4, 4] : [], borderColor: colour(one.guide ? "faint" : palette[index % palette.length]),
      backgroundColor: colour(one.guide ? "faint" : palette[index % palette.length])}))},
    options: {scales: {x: axis(x, linear ? "linear" : "logarithmic"), y: axis(y, "logarithmic")},
      plugins: {tooltip: {callbacks: {label: item => item.dataset.label + ": " + item.parsed.x.toPrecision(3) + ", " + item.parsed.y.toPrecision(3)}}}}
  });
}

/// Of the rows of a study: step as a power of two, errors against the derivative, errors against the oracle.
function draw_study(record, steps, taylor) {
  const rows = record.st.rows, column = index => rows.map(row => ({x: 2 ** row[0], y: number_in(row[index])}));
  const is_wrong = rows.length > 0 && rows[0].length > 3;
  const v = [{name: "against the derivative", points: column(1)}], remainder = [{name: "with the derivative", points: column(2)}];
  if (is_wrong) {
    v.push({name: "against the oracle", points: column(3)});
    remainder.push({name: "with the oracle's number", points: column(4)});
  }
  const first = remainder[remainder.length - 1].points.find(point => point.y > 0);
  if (first)
    for (const slope of [1, 2])
      remainder.push({name: "slope " + slope, guide: true, points: column(0).filter(point => point.x >= 1e-6).map(point => ({x: point.x, y: first.y * (point.x / first.x) ** slope}))});
  draw(steps, curves(v, "step", "error"));
  draw(taylor, curves(remainder, "step", "remainder"));
}

/// Numbers of records by decade, or in bins of the measure's width; what is zero stands in the first one.
function histogram(canvas, numbers, {name, width, limit}) {
  const bins = new Map(), is_decimal = width === undefined, least = is_decimal ? -18 : 0, most = is_decimal ? 8 : 40;
  for (const number of numbers) {
    const bin = !is_decimal ? Math.floor(number / width + 1e-9) : number > 0 ? Math.floor(Math.log10(number)) : least;
    const placed = Math.min(most, Math.max(least, Number.isNaN(bin) ? most : bin));
    bins.set(placed, (bins.get(placed) || 0) + 1);
  }
  const ends = bins.size ? [Math.min(...bins.keys()), Math.max(...bins.keys(), limit === undefined ? least : limit)] : [0, 0], labels = [];
  for (let bin = ends[0]; bin <= ends[1]; ++bin) labels.push(bin);
  draw(canvas, () => ({
    type: "bar",
    data: {labels: labels.map(bin => is_decimal ? (bin === least ? "≤ " : "") + "1e" + bin : String(bin * width)),
      datasets: [{data: labels.map(bin => bins.get(bin) || 0), categoryPercentage: 0.96, barPercentage: 0.96,
        backgroundColor: labels.map(bin => colour(limit !== undefined && bin >= limit ? "bad" : "mark"))}]},
    options: {plugins: {legend: {display: false}},
      scales: {x: {title: {display: true, text: name}, grid: {display: false}},
        y: {...axis("records", "logarithmic", String), min: 0.5}}}
  }));
}

/// Failed and undecided combinations of each night.
function draw_nights(canvas, nights) {
  draw(canvas, () => ({
    type: "bar",
    data: {labels: nights.map(night => night[0]), datasets: [
      {label: "failed", data: nights.map(night => night[5]), backgroundColor: colour("bad"), stack: "all", maxBarThickness: 26},
      {label: "undecided", data: nights.map(night => night[6]), backgroundColor: colour("unsure-cell"), stack: "all", maxBarThickness: 26}]},
    options: {scales: {x: {stacked: true, grid: {display: false}}, y: {stacked: true, beginAtZero: true, suggestedMax: 3, ticks: {precision: 0, maxTicksLimit: 5}}},
      plugins: {tooltip: {callbacks: {afterTitle: items => { const night = nights[items[0].dataIndex]; return "seed " + night[1] + ", " + night[2] + " cases, " + night[3] + " combinations"; }}}}}
  }));
}

for (const figure of data.figures) {
  const card = by("figure-template").content.cloneNode(true).firstElementChild;
  card.querySelector("h2").textContent = figure.title;
  card.querySelector("p").textContent = figure.caption;
  card.querySelector("canvas").setAttribute("aria-label", figure.title);
  by("figures").append(card);
  const series = figure.series.map(one => ({name: one.name, points: one.points.map(point => ({x: number_in(point[0]), y: number_in(point[1])}))}));
  draw(card.querySelector("canvas"), curves(series, figure.x, figure.y, figure.linear));
}
