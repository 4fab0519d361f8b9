import type { MeasuredRun } from './load.ts'

type Figure = 'rps' | 'cpuMs' | 'lat_p50' | 'lat_p99' | 'ttfb_p50' | 'ttfb_p99'
/** The rounds of one subject. */
export type Rounds = readonly MeasuredRun[]

/**
 * Measures in turns, every other round backwards: what a machine does beside the bench falls on all alike. From one minute to the next the
 * same server may do half as much here, so only what was measured in the same round is compared.
 */
export async function measureInTurns<S>(subjects: readonly S[], rounds: number, measureOne: (subject: S) => Promise<MeasuredRun>): Promise<Rounds[]> {
  const results = subjects.map((): MeasuredRun[] => [])
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? subjects.keys() : [...subjects.keys()].toReversed()
    for (const i of order) results[i]!.push(await measureOne(subjects[i]!))
  }
  return results
}

export const computeMedian = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

export const computeMedianFigure = (rounds: Rounds, figure: Figure): number => computeMedian(rounds.map((one) => one[figure]))

/** The middle of the ratios of each round. */
export const computeMedianRatio = (rounds: Rounds, others: Rounds, figure: Figure): number =>
  computeMedian(rounds.map((one, i) => one[figure] / others[i]![figure]))

/** The middle of what each round has more than the other's. */
export const computeMedianIncrease = (others: Rounds, rounds: Rounds, figure: Figure): number =>
  computeMedian(rounds.map((one, i) => one[figure] - others[i]![figure]))

/** The least CPU of all rounds: on a machine with other work the steadiest figure. */
export const findLeastCpuMs = (rounds: Rounds): number => Math.min(...rounds.map((one) => one.cpuMs))

export const countFailedRequests = (rounds: Rounds): number => rounds.reduce((sum, one) => sum + one.err, 0)
