import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scaleTimeout, waitForValue } from '#platform/testing/patience.ts'
import { openPauseRig, sendCallsTo } from './pauses/traffic.ts'
import type { RigNode, PauseRig, PauseRigOptions } from './pauses/traffic.ts'

// A gateway pauses and resumes: stopped like a migrating machine, blocked, or cut off from its database. Regardless of the actions of other
// processes meanwhile, each call is finally charged the amount that its vendor bills, to the nano-dollar. PAUSES=all: the whole matrix,
// some fifteen minutes.
const ALL = process.env['PAUSES'] === 'all'

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))
const count = async ({ db }: PauseRig, of: string): Promise<number> => Number((await db.query<{ n: bigint }>(`select count(*) as n from ${of}`))[0]!.n)
const LIVING = 'gateway_nodes n where n.dead_at is null'
const countProvisional = (on: PauseRig) => count(on, `gateway_swept where basis = 'hold'`)

/** Twice the time after which an unused lease is returned. */
const LEASES_IDLE_MS = 3000

type How = 'stop' | 'block' | 'cut'
interface Pause {
  readonly how: How
  /** Crash point at which the node pauses; a connection cut happens in the middle of the calls. */
  readonly point?: string
}
interface Cell {
  readonly pauses: readonly Pause[]
  /** Minimum length of the pause, which also lasts until the other nodes have reacted. */
  readonly ms: number
  /**
   * `seen`: resumes after the node was declared dead, before its holds are charged. `late`: after that. `any`: any outcome of a short pause
   * is fine.
   */
  readonly back: 'seen' | 'late' | 'any'
}

/** Pauses a node in the middle of its calls; the result resumes it and waits for its clients. */
async function pauseNode(
  on: PauseRig,
  node: RigNode,
  { how, point = 'gateway.after-first-byte' }: Pause,
): Promise<{ goOn: () => void; ended: Promise<unknown> }> {
  if (how !== 'cut') node.server.pauseAt(point, how)
  const calls: Promise<void>[] = []
  let nextAt = 0
  // A starved process refuses calls instead of reaching the point, so calls are repeated, but only after its idle leases were returned,
  // which is a crash point as well.
  const askAgain = () => {
    if (performance.now() < nextAt) return
    nextAt = Infinity
    calls.push(sendCallsTo(node, on.secret).finally(() => (nextAt = performance.now() + scaleTimeout(LEASES_IDLE_MS))))
  }
  await waitForValue(async () => {
    askAgain()
    if (how !== 'cut') return node.server.isPaused() || undefined
    return (await count(on, `gateway_calls`)) > 2 || undefined
  }, `${how} at ${point}`)
  if (how === 'cut') node.line.cut()
  return { goOn: () => (how === 'cut' ? node.line.mend() : node.server.resume()), ended: Promise.all(calls) }
}

/** Pauses the first nodes at once while the last one serves calls, then resumes them: both books must agree. */
async function play(on: PauseRig, { pauses, ms, back }: Cell): Promise<void> {
  const bystander = on.nodes.at(-1)!
  const still = await Promise.all(pauses.map((one, n) => pauseNode(on, on.nodes[n]!, one))).catch((error: unknown) => {
    for (const { server, line } of on.nodes) {
      server.resume()
      line.mend()
    }
    throw error
  })
  const beside = sendCallsTo(bystander, on.secret)
  await sleep(ms)
  const living = on.nodes.length - pauses.length
  if (back !== 'any') await waitForValue(async () => (await count(on, LIVING)) === living || undefined, 'the silent nodes to be declared dead', 50)
  if (back === 'late')
    await waitForValue(
      async () => (await count(on, `gateway_calls c where not exists (select from ${LIVING} and n.node = c.node)`)) === 0 || undefined,
      'the holds to be charged',
      50,
    )
  for (const { goOn } of still) goOn()
  await Promise.all([...still.map(({ ended }) => ended), beside])
  expect(await on.settled()).toEqual([])
  await waitForValue(async () => (await count(on, LIVING)) === on.nodes.length || undefined, 'every node to be back', 50)
}

/** One set of processes for all cases of a description. */
function useRig(options: PauseRigOptions): () => PauseRig {
  let rig: PauseRig
  beforeAll(async () => {
    rig = await openPauseRig(options)
  })
  afterAll(async () => {
    if (process.env['SHOW']) for (const { server } of rig.nodes) console.log(server.output().slice(-4000))
    await rig.stop()
  })
  return () => rig
}
const IN_TIME = 600_000
const TOO_LATE = 1000
/** Slightly longer than the time after which a silent node is declared dead. */
const SHORT_MS = 4500

describe('a vendor that cannot be asked about a call, nodes that are back before their holds are charged', () => {
  const rig = useRig({ nodes: 2, silentMs: IN_TIME })
  test.each<How>(ALL ? ['stop', 'block', 'cut'] : ['block'])('%s: the vendor’s book is charged', async (how) => {
    await play(rig(), { pauses: [{ how }], ms: SHORT_MS, back: 'seen' })
    expect(await countProvisional(rig())).toBe(0)
  })
})

describe('a vendor that cannot be asked about a call, nodes that are back after their holds were charged', () => {
  const rig = useRig({ nodes: 3, silentMs: TOO_LATE })
  test('stopped and cut off at once: every provisional charge is corrected', async () => {
    await play(rig(), { pauses: [{ how: 'stop' }, { how: 'cut' }], ms: SHORT_MS, back: 'late' })
    expect(await countProvisional(rig())).toBeGreaterThan(0)
    expect(await count(rig(), `gateway_corrections where cause = 'node'`)).toBeGreaterThan(0)
  })
})

const POINTS = [
  ...['gateway.before-draw', 'gateway.after-draw', 'gateway.before-dial', 'gateway.after-dial', 'gateway.before-reserve', 'gateway.after-reserve'],
  ...['gateway.before-first-byte', 'gateway.after-first-byte', 'gateway.before-last-byte', 'gateway.before-settle', 'gateway.after-settle'],
  ...['gateway.before-sum', 'gateway.after-sum', 'gateway.before-post', 'gateway.after-post', 'gateway.before-return', 'gateway.after-return'],
]
/** Steps at which calls have open holds. */
const OPEN: readonly Pause[] = [
  { how: 'stop', point: 'gateway.after-dial' },
  { how: 'block', point: 'gateway.after-reserve' },
  { how: 'stop', point: 'gateway.before-first-byte' },
  { how: 'cut' },
  { how: 'block', point: 'gateway.before-last-byte' },
  { how: 'stop', point: 'gateway.before-settle' },
]

describe.runIf(ALL)('five seconds at every step', () => {
  const rigs = [useRig({ nodes: 2, silentMs: IN_TIME }), useRig({ nodes: 2, silentMs: IN_TIME, canBeAsked: true })]
  test.each(POINTS)('%s', async (point) => {
    for (const rig of rigs) await play(rig(), { pauses: [{ how: 'stop', point }], ms: 5000, back: 'any' })
  })
})

describe.runIf(ALL).each(['seen', 'late'] as const)('long pauses where money is open, back %s', (back) => {
  const silentMs = back === 'seen' ? IN_TIME : TOO_LATE
  const [two, three] = [useRig({ nodes: 2, silentMs }), useRig({ nodes: 3, silentMs })]
  test.each([12_000, 60_000])('%i ms', async (ms) => {
    const both = async () => {
      for (let n = 0; n < OPEN.length; n += ms > 20_000 ? 4 : 2) await play(three(), { pauses: OPEN.slice(n, n + 2), ms, back })
    }
    const one = async () => {
      for (const how of ms > 20_000 ? (['stop', 'cut'] as const) : (['stop', 'block', 'cut'] as const)) await play(two(), { pauses: [{ how }], ms, back })
    }
    await Promise.all([both(), one()])
  })
})

describe.runIf(ALL)('a worker that stalls in the middle of a sweep', () => {
  const rig = useRig({ nodes: 2, silentMs: TOO_LATE })
  test.each(['gateway.before-sweep', 'gateway.sweep-before-commit', 'gateway.after-sweep'])('%s, while the node comes back', async (point) => {
    const on = rig()
    on.worker.pauseAt(point, 'stop')
    const { goOn, ended } = await pauseNode(on, on.nodes[0]!, { how: 'stop' })
    await waitForValue(() => on.worker.isPaused() || undefined, `${point} to be reached`)
    goOn()
    await sleep(3000)
    on.worker.resume()
    await ended
    expect(await on.settled()).toEqual([])
  })
})
