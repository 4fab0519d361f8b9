/** Milliseconds since the start, pixels from the left. */
export type Trail = readonly (readonly [number, number])[]

const MIN_MS = 200
const MIN_STEPS = 4

/**
 * Checks that the piece was moved as by a pointer or a keyboard: time increases, it takes a while and several
 * steps, ends at the given position, and is not a perfectly even line. A weak signal, backed by rate limits.
 */
export function isHumanTrail(trail: Trail, x: number): boolean {
  const last = trail.at(-1)
  const begin = trail[0]
  if (!last || !begin || trail.length < MIN_STEPS) return false
  if (last[0] - begin[0] < MIN_MS || Math.abs(last[1] - x) > 2 || Math.abs(begin[1]) > 10) return false
  const steps = trail.slice(1).map(([at, where], index) => [at - trail[index]![0], where - trail[index]![1]] as const)
  if (steps.some(([ms]) => ms < 0)) return false
  const even = (pick: 0 | 1) => steps.every((step) => Math.abs(step[pick] - steps[0]![pick]) < 0.01)
  return !(even(0) && even(1))
}
