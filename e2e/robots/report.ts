import type { Violation } from './oracle/violation.ts'
import type { RunPlan, Told } from './run.ts'

/** The command that repeats what one person did. */
export const replayOf = ({ seed, acts }: Pick<RunPlan, 'seed' | 'acts'>, at: number): string =>
  `replay: npm run robots -- --seed ${seed} --from ${at} --people 1 --acts ${acts}`

const lineOf = ({ rule, subject, seen, expected }: Violation): string => `${rule}: ${subject}: ${seen}; expected ${expected}`

/** One line a violation: who, at which act, what. */
export const summaryOf = (all: readonly Told[], rest: readonly Violation[]): string[] => [
  ...all.flatMap(({ at, found }) => found.map((one) => `person ${at}, act ${one.act}: ${lineOf(one)}`)),
  ...rest.map((one) => `at rest: ${lineOf(one)}`),
]
