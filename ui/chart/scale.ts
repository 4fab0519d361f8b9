/** An axis of four equal, round steps that reaches `top`, and the bars that exceed it. Heights are numbers; amounts stay text. */
export interface Axis {
  readonly top: number
  readonly ticks: readonly number[]
}

const ROUND = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
const STEPS = 4

/**
 * Axis from 0 to at least `most`, in round steps. Without data it reaches 1, or one unit per step for whole numbers, so that its labels are familiar
 * figures.
 */
export function buildAxis(most: number, isWhole = false): Axis {
  const wanted = (most > 0 ? Math.max(most, isWhole ? STEPS : 0.0001) : isWhole ? STEPS : 1) / STEPS
  const unit = 10 ** Math.floor(Math.log10(wanted))
  const step =
    ROUND.map((round) => round * unit).find((one) => one >= wanted * (1 - 1e-9) && (!isWhole || Number.isInteger(Number(one.toFixed(6))))) ?? 10 * unit
  // Avoids labels such as 0.1 + 0.2.
  const tidy = (value: number) => Number(value.toPrecision(6))
  return { top: tidy(step * STEPS), ticks: Array.from({ length: STEPS + 1 }, (_, at) => tidy(step * at)) }
}

/** Bars are cut above this multiple of the usual high bar, and only up to this share of all bars. */
const CUT_RATIO = 3
const MAX_CUT_SHARE = 0.1

/**
 * Computes the height that the axis must reach: the highest bar, unless a few bars exceed the others so far that the rest would look flat.
 * Then it is the highest of the others, and the few are cut and labelled with their figure.
 */
export function computeAxisReach(totals: readonly number[]): number {
  const down = totals.filter((total) => total > 0).toSorted((a, b) => b - a)
  const most = Math.max(1, Math.floor(down.length * MAX_CUT_SHARE))
  for (let cut = most; cut > 0; cut--) if (down.length > 4 && down[cut - 1]! > CUT_RATIO * down[cut]!) return down[cut]!
  return down[0] ?? 0
}

/** Selects the bars with a label: the last one, and further ones back from it, at most `most`. */
export function pickNamedBars(count: number, most: number): ReadonlySet<number> {
  const every = count <= most ? 1 : Math.max(3, Math.ceil(count / most))
  return new Set(Array.from({ length: Math.ceil(count / every) }, (_, at) => count - 1 - at * every))
}
