// The texts of a page whose contrast with what is behind them is too low (WCAG 2.2, 1.4.3).
() => {
  const parse = (text) => {
    const part = text.match(/[\d.]+%?/g).map(Number);
    if (text.startsWith("color(srgb")) return [part[0] * 255, part[1] * 255, part[2] * 255, part[3] ?? 1];
    return [part[0], part[1], part[2], part[3] ?? 1];
  };
  const over = (top, below) => top.slice(0, 3).map((value, i) => value * top[3] + below[i] * (1 - top[3]));
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none") return null; // a gradient has no one colour
      const colour = parse(style.backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const faults = new Set();
  for (const element of document.body.querySelectorAll("*:not(svg *)")) {
    const said = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join("");
    const style = getComputedStyle(element);
    if (!said || !element.checkVisibility() || element.closest("noscript, .unseen, .skip")) continue;
    const ground = behind(element);
    if (ground === null) continue;
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    const colour = parse(style.color);
    const [a, b] = [light(over([...colour.slice(0, 3), colour[3] * opacity], ground)), light(ground)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) faults.add(`${element.tagName}.${element.className} ${ratio.toFixed(2)}: ${said.slice(0, 30)}`);
  }
  return [...faults];
}
