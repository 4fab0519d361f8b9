import type { Deps } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { computePersonDigests } from '#features/account/server/door.ts'
import { lockBeginnings, moveTask } from '#features/services/server/door.ts'
import type { TaskTransition, ServiceSpec, Task } from '#features/services/server/door.ts'
import { ORDER_TYPE } from '#features/payments/server/door.ts'
import { returnTrial, takeTrial } from '../data.ts'
import { browserFiles, packageDays, singleHours, trialDays } from '../settings.ts'
import { browserPackageWords } from '../words.ts'
import { findLivePackage, PACKAGE_SERVICE } from './live.ts'

const HOUR_MS = 3_600_000
const WAIT_MINUTES = 5

async function readDurationMs({ settings }: Pick<Deps, 'settings'>, product: string): Promise<number> {
  if (product === 'single') return (await settings.get(singleHours)) * HOUR_MS
  return (await settings.get(product === 'trial' ? trialDays : packageDays)) * 24 * HOUR_MS
}

/** Starts a package at once; it is appended to a live one, so that no day is lost. */
async function startPackage(deps: Deps, task: Task): Promise<TaskTransition> {
  const before = await findLivePackage(deps.db, task.userId)
  const from = Math.max(task.now.getTime(), before?.expiresAt?.getTime() ?? 0)
  return {
    to: 'using',
    supplier: 'own',
    expiresAt: new Date(from + (await readDurationMs(deps, task.product))),
    also: async (tx) => {
      // Two packages paid concurrently would start at the same time and lose the days of one: the second one retries.
      await lockBeginnings(tx, task.userId, PACKAGE_SERVICE)
      const now = await findLivePackage(tx, task.userId, task.id)
      if (now?.id !== before?.id) throw new Error('another package began meanwhile')
      if (before) await moveTask(deps, tx, { id: before.id, from: ['using'], to: { to: 'ended', cause: 'joined' } })
    },
  }
}

export const packageService: ServiceSpec = {
  name: PACKAGE_SERVICE,
  orderType: ORDER_TYPE.WILDCARD_BROWSER,
  prices: { trial: '0', package: '4.99', single: '0.49' },
  first: 'making',
  states: {
    making: { phase: 'waiting', to: ['using', 'failed'], work: startPackage, within: async () => WAIT_MINUTES, late: { to: 'failed', cause: 'late' } },
    using: { phase: 'using', to: ['ended'], expires: { to: 'ended', cause: 'time_up' } },
    ended: { phase: 'done', to: [] },
    failed: { phase: 'failed', to: [] },
  },
  causes: { late: { money: 'back' }, time_up: { money: 'keep' }, joined: { money: 'keep' } },
  // Not offered without a file to download
  isOffered: async ({ settings }) => {
    const { windows, macos } = await settings.get(browserFiles)
    return windows !== null || macos !== null
  },
  begin: async (deps, tx, task) => {
    if (task.product !== 'trial') return
    if (!(await takeTrial(tx, task.userId, { taskId: task.id, person: await computePersonDigests(deps, tx, task.userId) }))) fail('BROWSER_TRIAL_USED')
  },
  // A trial that never began is not used up
  ended: async (_deps, tx, task) => {
    if (task.product === 'trial' && task.state === 'failed') await returnTrial(tx, task.id)
  },
  texts: browserPackageWords,
  path: '/browser',
  endsWithAccount: true,
}
