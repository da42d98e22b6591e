// Of served statistics with facets: which games are asked for, by rating, speed and year; and how a
// move fares by year and by rating.
"use strict";

const RATINGS = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500]; // where groups begin
const SPEEDS = ["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"];
const ASK_PAUSE_MS = 100; // while a handle moves
const FEW_GAMES = 20; // years of fewer are one point with those behind them; bars of fewer are pale

const between = (from, to, isFirst, isLast) => isFirst && isLast ? "all" : isFirst ? `to ${to}` :
    isLast ? `from ${from}` : from === to ? String(from) : `${from}–${to}`;

// Two handles on one track choose a run of steps.
class Range {
    // text: of the steps from `low` to `high`.
    constructor(name, steps, text, changed)
    {
        Object.assign(this, {name, steps, last: steps.length - 1, low: 0, high: steps.length - 1});
        this.text = (low, high) => text(low, high, low === 0, high === this.last);
        this.track = element("i");
        this.said = element("span");
        this.handles = ["Lowest", "Highest"].map((which) => element("input", {type: "range", min: 0,
            max: this.last, "aria-label": `${which} ${name.toLowerCase()}`}));
        this.handles.forEach((handle, end) => handle.addEventListener("input", () => {
            const at = Number(handle.value); // one pushes the other, or both would stick at an end
            this.choose(end ? Math.min(this.low, at) : at, end ? at : Math.max(this.high, at));
            changed();
        }));
        this.host = element("div", {role: "group", "aria-label": name}, element("p", {},
            element("b", {}, name + " "), this.said), element("div", {class: "range"}, this.track,
            ...this.handles));
        this.choose(0, this.last);
    }

    get isAll()
    {
        return this.low === 0 && this.high === this.last;
    }

    choose(low, high)
    {
        Object.assign(this, {low, high});
        this.said.textContent = this.text(low, high);
        this.track.style.left = 100 * low / this.last + "%";
        this.track.style.right = 100 - 100 * high / this.last + "%";
        [low, high].forEach((at, end) => {
            this.handles[end].value = at;
            this.handles[end].setAttribute("aria-valuetext",
                end ? this.text(0, at) : this.text(at, this.last));
        });
    }
}

const ratingText = (low, high, isFirst, isLast) =>
    between(RATINGS[low], RATINGS[high + 1] - 1, isFirst, isLast);

class Facets {
    // ask: to be called when other games are asked for.
    constructor({facets, years: [first, last]}, ask)
    {
        const years = Array.from({length: last - first + 1}, (_, i) => first + i);
        const yearText = (low, high, ...ends) => between(years[low], years[high], ...ends);
        const changed = () => {
            this.show();
            clearTimeout(this.timer);
            this.timer = setTimeout(ask, ASK_PAUSE_MS);
        };
        this.answer = null; // about the position on the board
        this.hasRatings = facets.includes("rating");
        this.hasYears = facets.includes("month") && first > 0 && last > first;
        this.ratings = this.hasRatings ? new Range("Rating", RATINGS, ratingText, changed) : null;
        this.years = this.hasYears ? new Range("Years", years, yearText, changed) : null;
        this.ranges = [this.ratings, this.years].filter(Boolean);
        this.buttons = (facets.includes("speed") ? SPEEDS : []).map((name) =>
            element("button", {type: "button", class: "text", "aria-pressed": false}, name));
        this.reset = element("button", {type: "button", class: "text"}, "All games");
        this.summary = element("summary");
        this.trends = element("section", {id: "trends", "aria-label": "By year and rating"});
        for (const button of this.buttons)
            button.addEventListener("click", () => {
                button.setAttribute("aria-pressed", !isPressed(button));
                changed();
            });
        this.reset.addEventListener("click", () => {
            this.summary.focus(); // the button goes away
            this.read("");
            changed();
        });
        byId("totals").before(element("details", {id: "asked"}, this.summary, element("div", {},
            ...this.ranges.map(({host}) => host), element("div", {role: "group",
                "aria-label": "Speed", class: "speeds"}, ...this.buttons)), this.reset));
        byId("asked").open = matchMedia("(min-width: 821px)").matches;
        document.querySelector(".side-text").prepend(this.trends);
        this.show();
    }

    get speeds()
    {
        return this.buttons.filter(isPressed).map((button) => button.textContent);
    }

    show()
    {
        const chosen = this.ranges.filter((range) => !range.isAll)
            .map(({name, said}) => `${name} ${said.textContent}`).concat(this.speeds.join(", ") || []);
        this.summary.textContent = chosen.join(" · ") || "All games";
        this.reset.hidden = !chosen.length;
    }

    // As parameters of a request and of an address; "" for all games.
    get query()
    {
        const {ratings, years, speeds} = this, parts = [];
        if (ratings && !ratings.isAll)
            parts.push("ratings=" + RATINGS.slice(ratings.low, ratings.high + 1).join(","));
        if (speeds.length)
            parts.push("speeds=" + speeds.join(","));
        if (years && years.low > 0)
            parts.push(`since=${years.steps[years.low]}-01`);
        if (years && years.high < years.last)
            parts.push(`until=${years.steps[years.high]}-12`);
        return parts.join("&");
    }

    // Takes them from an address; what these statistics do not tell apart is left out.
    read(text)
    {
        const given = new URLSearchParams(text), {ratings, years} = this;
        const list = (name) => (given.get(name) || "").split(",").filter(Boolean);
        const groups = list("ratings").map((rating) => RATINGS.indexOf(Number(rating)));
        const speeds = list("speeds");
        const [since, until] = ["since", "until"].map((name) => given.has(name) ?
            Number(/^(\d{4})-\d\d?$/.exec(given.get(name))?.[1]) : name === "since" ? 0 : Infinity);
        if (groups.includes(-1) || !speeds.every((name) => SPEEDS.includes(name)) || !(since <= until))
            throw new Error("It asks for games that there are none of.");
        if (ratings)
            ratings.choose(Math.min(...groups, groups.length ? Infinity : 0),
                groups.length ? Math.max(...groups) : ratings.last);
        if (years) {
            const low = years.steps.filter((year) => year < since).length;
            const high = years.steps.filter((year) => year <= until).length - 1;
            years.choose(Math.min(low, years.last), Math.max(low, high, 0));
        }
        this.buttons.forEach((button) =>
            button.setAttribute("aria-pressed", speeds.includes(button.textContent)));
        this.show();
    }

    // Asks how the moves of a position fare; null: the server does not say.
    async load(request)
    {
        this.answer = null;
        this.asking = request;
        const answer = await request();
        if (this.asking !== request)
            return;
        this.answer = answer;
        this.showMove(chosenMove());
    }

    // Of one move, or else of the first.
    showMove(m)
    {
        const entry = shown.entries.find((one) => one.move === m) || shown.entries[0];
        const facts = this.answer && entry &&
            this.answer.moves.find((one) => one.move === entry.move);
        if (this.answer)
            this.trends.replaceChildren(...(facts ? [element("h3", {}, entry.san),
                ...(this.hasYears ? [this.curve(entry.san, facts.years)] : []),
                ...(this.hasRatings ? [this.bars(entry.san, facts.groups)] : [])] : []));
    }

    curve(san, own)
    {
        const totals = new Map(), games = new Map(own), points = [];
        for (const [year, count] of this.answer.moves.flatMap(({years}) => years))
            totals.set(year, (totals.get(year) || 0) + count);
        for (const year of [...totals.keys()].sort((a, b) => a - b)) {
            if (!points.length || points[points.length - 1].total >= FEW_GAMES)
                points.push({first: year, total: 0, games: 0});
            const point = points[points.length - 1];
            point.last = year;
            point.total += totals.get(year);
            point.games += games.get(year) || 0;
            point.share = point.games / point.total;
        }
        if (!points.length)
            return figure("Share by year", "No dates are known.");
        const {first} = points[0], {last} = points[points.length - 1];
        const most = Math.max(...points.map(({share}) => share));
        const x = (point) => LEFT + WIDTH * ((point.first + point.last) / 2 - first) / (last - first || 1);
        const y = ({share}) => BOTTOM - (most && HEIGHT * share / most);
        const area = [[LEFT, BOTTOM], ...points.map((point) => [x(point), y(point)]),
            [x(points[points.length - 1]), BOTTOM]];
        area[0][0] = area[1][0];
        const texts = points.map(({first: from, last: to, share, total}) =>
            `${between(from, to)}: ${formatPercent(share)} of ${formatNumber(total)} games`);
        return figure("Share by year", `${san}, ${texts[0]}; ${texts[texts.length - 1]}`, level(TOP),
            chartText(LEFT - 4, TOP + 4, Math.round(100 * most) + "%", "end"), level(BOTTOM),
            svgElement("polygon", {points: area.map((at) => at.join()).join(" ")}),
            ...points.map((point, i) => svgElement("circle", {cx: x(point), cy: y(point),
                r: points.length > 40 ? 1.5 : 2.5}, svgElement("title", {}, texts[i]))),
            chartText(LEFT, TEXT, first, "start"), chartText(LEFT + WIDTH, TEXT, last, "end"));
    }

    bars(san, groups)
    {
        const slot = WIDTH / RATINGS.length, middle = (i) => LEFT + slot * (i + 0.5), texts = [];
        const bars = groups.flatMap(([rating, wins, draws, losses]) => {
            const i = RATINGS.indexOf(rating), games = wins + draws + losses;
            const score = (wins + draws / 2) / games, height = HEIGHT * score;
            texts.push(`${ratingText(i, i, i === 0, i === RATINGS.length - 1)}: ` +
                `${formatPercent(score)} of ${formatNumber(games)} games`);
            return [svgElement("rect", {x: middle(i) - slot * 0.36, width: slot * 0.72, height,
                y: BOTTOM - height, opacity: games < FEW_GAMES ? 0.45 : 1},
            svgElement("title", {}, texts[texts.length - 1])),
            chartText(middle(i), BOTTOM - height - 3, Math.round(100 * score), "middle")];
        });
        return !bars.length ? figure("Score by rating", "No ratings are known.") :
            figure("Score by rating", `${san}, ${texts.join("; ")}`, level(BOTTOM),
                level(BOTTOM - HEIGHT / 2), ...bars,
                chartText(LEFT - 4, BOTTOM - HEIGHT / 2 + 4, "50%", "end"),
                ...RATINGS.map((rating, i) => chartText(middle(i), TEXT, rating, "middle")));
    }
}

const isPressed = (button) => button.getAttribute("aria-pressed") === "true";

// Pictures of 300 x 96 units: where the axes are, and the line of text below.
const LEFT = 32, WIDTH = 264, TOP = 14, BOTTOM = 78, HEIGHT = BOTTOM - TOP, TEXT = 92;

const chartText = (x, y, text, anchor) =>
    svgElement("text", {x, y, "text-anchor": anchor}, String(text));
const level = (y) => svgElement("path", {d: `M${LEFT} ${y}h${WIDTH}`});

// says: in words what the picture shows, or why there is none.
const figure = (caption, says, ...parts) => element("figure", {}, element("figcaption", {}, caption),
    parts.length ? svgElement("svg", {viewBox: "0 0 300 96", role: "img", "aria-label": says},
        ...parts) : element("p", {}, says));
