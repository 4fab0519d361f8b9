import { benchRelayAlone } from './alone.ts'
import { stopPrograms } from './load.ts'
import { benchGuard } from './guard.ts'
import { benchKeyGrowth } from './growth.ts'
import { benchLatency } from './latency.ts'
import { readOptions } from './options.ts'
import { benchSlowStreams } from './slow-streams.ts'
import { benchThroughput } from './throughput.ts'
import { benchTranslation } from './translated.ts'
import { benchTwoProcesses } from './two-processes.ts'
import { benchUnitCosts } from './unit-costs.ts'

/**
 * The gateway bench: `npm run bench:gateway -- [scenario ...] [options]`, see README.md. Gateway on core 0; load, mock upstream and
 * database on core 1. Compare figures of one run only.
 */
const SCENARIOS = {
  throughput: benchThroughput,
  latency: benchLatency,
  slow: benchSlowStreams,
  growth: benchKeyGrowth,
  two: benchTwoProcesses,
  translated: benchTranslation,
  unit: benchUnitCosts,
  guard: benchGuard,
  alone: benchRelayAlone,
}

const { scenarios, options } = readOptions(process.argv.slice(2), Object.keys(SCENARIOS))
for (const name of scenarios) {
  try {
    await SCENARIOS[name as keyof typeof SCENARIOS](options)
  } finally {
    await stopPrograms()
  }
}
