export interface Options {
  readonly seconds: number
  readonly rounds: number
  /** Seconds of full load on every server before the measurement: compilers need some 200,000 calls to settle. */
  readonly warm: number
  readonly concurrency: number
  /** Milliseconds until the mock's first byte (`latency`), because no model responds at once. */
  readonly vendor: number
  /** Chunks that the mock combines into one write; one table each. */
  readonly bursts: readonly number[]
  readonly api: string
  readonly model: string
  /** URL of a running server, used instead of starting one. */
  readonly base: string
  readonly key: string
  readonly pid: number
  readonly portkey: boolean
  /** Another checkout of the project, with its packages, measured alternately with this one. */
  readonly against: string
  /** `embedded`, or a folder with PostgreSQL's programs. */
  readonly postgres: string | undefined
  /** Keys in the largest growth measurement. */
  readonly keys: number
  /** Limits `guard` to bodies whose name contains this text. */
  readonly only: string
}

const NUMBERS = /^(?:seconds|rounds|warm|concurrency|vendor|pid|keys)$/
const TEXTS = /^(?:api|model|base|key|postgres|against|only)$/

/** Scenario names first, in any order; then options. */
export function readOptions(args: readonly string[], known: readonly string[]): { scenarios: readonly string[]; options: Options } {
  const scenarios: string[] = []
  const read: Record<string, unknown> = {
    seconds: 2,
    rounds: 9,
    warm: 15,
    concurrency: 32,
    vendor: 0,
    bursts: [1, 4],
    api: 'openai',
    model: 'gpt-4o-mini',
    base: '',
    key: 'sk-bench',
    pid: 0,
    portkey: true,
    against: '',
    postgres: undefined,
    keys: 1_000_000,
    only: '',
  }
  for (let i = 0; i < args.length; i++) {
    const name = args[i]!.replace(/^--/, '')
    if (known.includes(args[i]!)) scenarios.push(args[i]!)
    else if (name === 'no-portkey') read['portkey'] = false
    else if (name === 'bursts') read['bursts'] = args[++i]!.split(',').filter(Boolean).map(Number)
    else if (NUMBERS.test(name)) read[name] = Number(args[++i])
    else if (TEXTS.test(name)) read[name] = args[++i]
    else throw new Error(`unknown: ${args[i]}; scenarios: ${known.join(', ')}`)
  }
  return { scenarios: scenarios.length ? scenarios : ['throughput'], options: read as unknown as Options }
}
