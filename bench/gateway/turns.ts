import type { MeasuredRun } from './load.ts'

type Figure = 'rps' | 'cpuMs' | 'lat_p50' | 'lat_p99' | 'ttfb_p50' | 'ttfb_p99'
/** The rounds of one subject. */
export type Rounds = readonly MeasuredRun[]

/**
 * Measures the subjects alternately, every other round in reverse order, so that other load on the machine affects all alike. The same
 * server may reach half its throughput a minute later, so only figures of the same round are compared.
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

/** Median of the ratios of each round. */
export const computeMedianRatio = (rounds: Rounds, others: Rounds, figure: Figure): number =>
  computeMedian(rounds.map((one, i) => one[figure] / others[i]![figure]))

/** Median of the increase over the other subject in each round. */
export const computeMedianIncrease = (others: Rounds, rounds: Rounds, figure: Figure): number =>
  computeMedian(rounds.map((one, i) => one[figure] - others[i]![figure]))

/** Minimum CPU of all rounds: the most stable figure on a machine with other work. */
export const findLeastCpuMs = (rounds: Rounds): number => Math.min(...rounds.map((one) => one.cpuMs))

export const countFailedRequests = (rounds: Rounds): number => rounds.reduce((sum, one) => sum + one.err, 0)
