import { alone } from './alone.ts'
import { stopAll } from './load.ts'
import { guard } from './guard.ts'
import { growth } from './growth.ts'
import { latency } from './latency.ts'
import { readOptions } from './options.ts'
import { slowStreams } from './slow-streams.ts'
import { throughput } from './throughput.ts'
import { translated } from './translated.ts'
import { twoProcesses } from './two-processes.ts'
import { unitCosts } from './unit-costs.ts'

/**
 * The gateway bench: `npm run bench:gateway -- [scenario ...] [options]`, see README.md. Gateway on core 0; load, mock upstream and
 * database on core 1. Compare figures of one run only.
 */
const SCENARIOS = { throughput, latency, slow: slowStreams, growth, two: twoProcesses, translated, unit: unitCosts, guard, alone }

const { scenarios, options } = readOptions(process.argv.slice(2), Object.keys(SCENARIOS))
for (const name of scenarios) {
  try {
    await SCENARIOS[name as keyof typeof SCENARIOS](options)
  } finally {
    await stopAll()
  }
}
