import { setTimeout as sleep } from 'node:timers/promises'
import { NANO_PER_USD } from '#platform/shared/money.ts'
import { PATIENCE_MS } from '#platform/testing/patience.ts'
import { aKeyPayer } from './stage.ts'
import type { NodesStage } from './stage.ts'

export interface KillCounts {
  nodes: number
  postgres: number
  /** Milliseconds from the moment the database responds again until a call succeeds. */
  readonly backMs: number[]
}

/** Kills a random node every second, and PostgreSQL after one third and two thirds of the time; restarts each at once. */
export async function killForSeconds(stage: NodesStage, url: string, seconds: number): Promise<KillCounts> {
  const from = Date.now()
  const databaseAt = [from + (seconds * 1000) / 3, from + (seconds * 2000) / 3]
  const starting = new Map<number, Promise<void>>()
  const kills: KillCounts = { nodes: 0, postgres: 0, backMs: [] }
  while (Date.now() < from + seconds * 1000 || databaseAt.length) {
    if (databaseAt.length && Date.now() > databaseAt[0]!) {
      databaseAt.shift()
      await stage.killPostgres()
      kills.postgres++
      kills.backMs.push(await measureRecovery(stage, url))
    }
    const n = Math.floor(Math.random() * stage.nodes.length)
    if (!starting.has(n)) {
      await stage.nodes[n]!.kill('SIGKILL')
      kills.nodes++
      const start = restartNode(stage, n).finally(() => starting.delete(n))
      start.catch(() => {}) // awaited below
      starting.set(n, start)
    }
    await sleep(1000)
  }
  await Promise.all(starting.values())
  return kills
}

/** A process without a database exits; its supervisor restarts it, as here. */
async function restartNode(stage: NodesStage, n: number): Promise<void> {
  for (const last = Date.now() + 2 * PATIENCE_MS; ;) {
    try {
      return await stage.nodes[n]!.restart()
    } catch (error) {
      if (Date.now() > last) throw error
      await sleep(200)
    }
  }
}

async function measureRecovery(stage: NodesStage, url: string): Promise<number> {
  const { secret } = await aKeyPayer(stage.db, NANO_PER_USD)
  const asked = Date.now()
  for (;;) {
    const reply = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-6-luna', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
    }).catch(() => undefined)
    await reply?.arrayBuffer().catch(() => {})
    if (reply?.status === 200) return Date.now() - asked
    if (Date.now() - asked > 2 * PATIENCE_MS) throw new Error('no call is served although the database came back')
    await sleep(20)
  }
}
