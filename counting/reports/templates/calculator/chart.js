/* A shoe's history as a strip: the edge of one bet before every coup, and who won the coup. */
const chart = (() => {
    "use strict";
    const STEPS = [13, 26]; // the least and the greatest width of a coup, in pixels
    const COUPS = 40; // the strip has room for at least this number of coups
    const LEFT = 58;
    const TOP = 14;
    const HEIGHT = 150;
    const RESULTS = 34; // pixels below the edges, for the results
    const LETTER = { player: "P", banker: "B", tie: "T" };
    const SVG = "http://www.w3.org/2000/svg";

    function draw(tag, attributes, text) {
        const element = document.createElementNS(SVG, tag);
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
        if (text !== undefined) element.textContent = text;
        return element;
    }

    /** A step of 1, 2 or 5 times a power of ten, which gives about four lines over the range. */
    function stepOf(range) {
        const power = 10 ** Math.floor(Math.log10(range / 4));
        return [1, 2, 5, 10].map((times) => times * power).find((step) => range / step <= 5);
    }

    /** The strip as SVG. A row has coup, edge (null if not known) and winner (null for the coming coup). `room` is the
      width in pixels. */
    function strip(rows, title, percent, room) {
        const columns = Math.max(rows.length, COUPS);
        const wide = Math.min(Math.max((room - LEFT - 8) / columns, STEPS[0]), STEPS[1]);
        const edges = rows.map((row) => row.edge).filter((edge) => edge !== null);
        const low = Math.min(0, ...edges);
        const high = Math.max(0, ...edges);
        const range = high - low || 0.01;
        const step = stepOf(range);
        const least = Math.floor(low / step + 1e-9) * step;
        const most = Math.max(Math.ceil(high / step - 1e-9) * step, least + step);
        const width = LEFT + wide * columns + 8;
        const x = (i) => LEFT + wide * i + wide / 2;
        const y = (edge) => TOP + (HEIGHT * (most - edge)) / (most - least);
        const height = TOP + HEIGHT + RESULTS;
        const svg = draw("svg", {
            width,
            height,
            viewBox: `0 0 ${width} ${height}`, // so that it can be made smaller on paper
            role: "img",
            "aria-labelledby": "strip-title",
        });
        svg.append(draw("title", { id: "strip-title" }, title));
        for (let k = 0; least + k * step <= most + step / 2; k++) {
            const edge = least + k * step;
            const isZero = Math.abs(edge) < step / 2;
            svg.append(
                draw("line", { class: isZero ? "zero" : "grid", x1: LEFT, x2: width - 8, y1: y(edge), y2: y(edge) }),
            );
            svg.append(draw("text", { class: "axis", x: LEFT - 6, y: y(edge) + 4 }, percent(isZero ? 0 : edge, step)));
        }
        const known = rows.map((row, i) => (row.edge === null ? "" : `${x(i)},${y(row.edge)}`)).filter(Boolean);
        svg.append(draw("polyline", { class: "line", points: known.join(" ") }));
        rows.forEach((row, i) => {
            const result = row.winner ? `, ${row.winner === "tie" ? "a tie" : `${row.winner} won`}` : "";
            const edge = row.edge === null ? "not known" : percent(row.edge);
            if (row.edge !== null) {
                const at = y(row.edge);
                const mark = row.positive
                    ? draw("path", { class: "positive", d: `M${x(i)},${at - 6}l5,9h-10z` })
                    : draw("circle", { class: "point", cx: x(i), cy: at, r: 2.5 });
                mark.append(draw("title", {}, `Coup ${row.number}: ${edge}${result}`));
                svg.append(mark);
            }
            if (row.winner)
                svg.append(
                    draw("text", { class: `result ${row.winner}`, x: x(i), y: TOP + HEIGHT + 16 }, LETTER[row.winner]),
                );
            if (row.number % 10 === 0)
                svg.append(draw("text", { class: "coup", x: x(i), y: TOP + HEIGHT + 30 }, String(row.number)));
        });
        return svg;
    }

    return { strip };
})();
