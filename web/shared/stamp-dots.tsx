/** More stamps than these are shown by the number alone. */
const mostDots = 20;

/** The stamps of a card as dots, filled as far as they were collected. The number next to them says the same to screen readers. */
export function StampDots({
  balance,
  threshold,
  most = mostDots,
}: {
  readonly balance: number;
  readonly threshold: number | null;
  readonly most?: number;
}) {
  if (threshold === null || threshold > most) return null;
  return (
    <span class="dots" aria-hidden="true" style={{ '--columns': columnsOf(threshold) }}>
      {Array.from({ length: threshold }, (_, n) => (
        <span key={n} class={n < balance ? 'dot full' : 'dot'} />
      ))}
    </span>
  );
}

/** Rows of equal length, of ten at most. */
function columnsOf(threshold: number): number {
  return threshold <= 6 ? threshold : Math.ceil(threshold / 2);
}
