import type { Deps } from '#platform/server/feature.ts'
import { moveTask } from '#features/services/server/door.ts'
import type { TaskTransition, ServiceSpec, Task } from '#features/services/server/door.ts'
import { ORDER_TYPE } from '#features/payments/server/door.ts'
import { isProxyServed } from '../data.ts'
import { proxyFreeUses, proxyMinutes } from '../settings.ts'
import { listOpenExits } from '../proxy-address.ts'
import { proxyWords } from '../words.ts'
import { openUse } from './open-use.ts'
import { readUseFacts } from './use-facts.ts'

const NOT_YET_SECONDS = 2
const WAIT_MINUTES = 2

/** Delivers a paid or free use once a process serves the proxy, and charges it in full then. */
async function startUse(deps: Deps, task: Task): Promise<TaskTransition | { seconds: number }> {
  if (!(await isProxyServed(deps.db))) return { seconds: NOT_YET_SECONDS }
  const expiresAt = new Date(task.now.getTime() + (await deps.settings.get(proxyMinutes)) * 60_000)
  return {
    to: 'using',
    supplier: 'own',
    expiresAt,
    also: async (tx, moved) => {
      const { userId, exitId } = { userId: moved.userId, exitId: String(moved.facts['exit'] ?? '') }
      const { replaced } = await openUse(deps, tx, { userId, purpose: 'proxy', ref: moved.id, owner: userId, exitId, expiresAt })
      for (const ref of replaced) await moveTask(deps, tx, { id: ref, from: ['using'], to: { to: 'ended', cause: 'renewed' } })
    },
  }
}

export const proxyService: ServiceSpec = {
  name: 'proxy',
  orderType: ORDER_TYPE.PROXY,
  prices: { use: '0.49' },
  isOffered: async (deps, sql) => (await listOpenExits(deps)).length > 0 && (await isProxyServed(sql)),
  first: 'making',
  states: {
    making: {
      phase: 'waiting',
      to: ['using', 'failed'],
      work: startUse,
      within: async () => WAIT_MINUTES,
      late: { to: 'failed', cause: 'not_served' },
    },
    using: { phase: 'using', to: ['ended'], expires: { to: 'ended', cause: 'time_up' } },
    ended: { phase: 'done', to: [] },
    failed: { phase: 'failed', to: [] },
  },
  causes: {
    not_served: { money: 'back' },
    time_up: { money: 'keep' },
    renewed: { money: 'keep' },
    stopped: { money: 'keep' },
  },
  quota: async (deps) => ({ allowed: await deps.settings.get(proxyFreeUses), period: '' }),
  seen: ({ db }, { id }) => readUseFacts(db, 'proxy', id),
  texts: proxyWords,
  path: '/network',
  endsWithAccount: true,
}
