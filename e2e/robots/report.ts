import type { RobotViolation } from './oracle/violation.ts'
import type { RobotRunPlan, PersonTrace } from './run.ts'

/** The command that replays one person's acts. */
export const formatReplayCommand = ({ seed, acts }: Pick<RobotRunPlan, 'seed' | 'acts'>, at: number): string =>
  `replay: npm run robots -- --seed ${seed} --from ${at} --people 1 --acts ${acts}`

const lineOf = ({ rule, subject, seen, expected }: RobotViolation): string => `${rule}: ${subject}: ${seen}; expected ${expected}`

/** One line per violation: person, act, finding. */
export const summarizeTraces = (all: readonly PersonTrace[], rest: readonly RobotViolation[]): string[] => [
  ...all.flatMap(({ at, found }) => found.map((one) => `person ${at}, act ${one.act}: ${lineOf(one)}`)),
  ...rest.map((one) => `at rest: ${lineOf(one)}`),
]

/** Errors in the server's log, each once with its count: not violations, but often the cause of one. */
export function collectLogErrors(output: string): string[] {
  const counted = new Map<string, number>()
  for (const line of output.split('\n')) {
    if (!line.startsWith('{"level":"error"') && !line.startsWith('{"level":"fatal"')) continue
    const { msg = '', err } = JSON.parse(line) as { msg?: string; err?: { message?: string; stack?: string } }
    const what = `${msg}: ${err?.message ?? ''} ${err?.stack?.split('\n').slice(1, 3).join('').replaceAll(/\s+/g, ' ') ?? ''}`
    counted.set(what, (counted.get(what) ?? 0) + 1)
  }
  return [...counted].map(([what, times]) => `${times} x ${what}`)
}
