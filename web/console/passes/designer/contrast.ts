/** Between two `#rrggbb`, from 1 to 21. Formula: WCAG 2.2, "contrast ratio". */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The least with which a text is readable: WCAG 2.2, success criterion 1.4.3. */
export const readable = 4.5;

export function isColor(text: string | null): text is string {
  return text !== null && /^#[0-9a-f]{6}$/i.test(text);
}

/** Black or white, whichever is read better on a colour. */
export function inkOn(background: string): string {
  return contrast('#ffffff', background) >= contrast('#000000', background) ? '#ffffff' : '#000000';
}

function luminance(color: string): number {
  const value = Number.parseInt(color.slice(1), 16);
  const [red = 0, green = 0, blue = 0] = [value >> 16, (value >> 8) & 255, value & 255].map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
