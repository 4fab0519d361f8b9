import { setTimeout as sleep } from 'node:timers/promises'
import { patient } from '#platform/testing/patience.ts'
import type { Told } from './run.ts'
import { openDesk } from './desk/desk.ts'
import type { Desk } from './desk/desk.ts'
import { openFaults } from './faults.ts'
import type { Faults } from './faults.ts'
import { checkAtRest } from './oracle/at-rest.ts'
import type { Violation } from './oracle/violation.ts'
import { createRandom, seedOf } from './people/random.ts'
import type { Product } from './stage/product.ts'
import { DAY_MS, startAtEleven } from './stage/hours.ts'

export interface Staffed {
  readonly faults: Faults
  readonly desk: Desk
  readonly found: Violation[]
}

/** The desk works while people act, every few seconds, until `work` is done. */
export async function withDesk<T>({ desk }: Pick<Staffed, 'desk'>, seed: number, work: Promise<T>): Promise<T> {
  const random = createRandom(seedOf(seed, 'desk meanwhile'))
  let isOver = false
  const beside = (async () => {
    while (!isOver) {
      await sleep(patient(3_000))
      if (!isOver) await desk.workThrough(random)
    }
  })()
  try {
    return await work
  } finally {
    isOver = true
    await beside
  }
}

/** Eleven in the morning, with two operators at the desk. */
export async function startRun(product: Product): Promise<Staffed> {
  await startAtEleven(product)
  const found: Violation[] = []
  return { faults: await openFaults(product), desk: await openDesk(product, (violation) => void found.push(violation)), found }
}

const MINUTE_MS = 60_000
/** Promised times and what comes after them: minutes of orders and numbers, hours of drafts, a day of payouts, two weeks of rewards and refunds. */
const STEPS_MS = [16 * MINUTE_MS, 45 * MINUTE_MS, 5 * 60 * MINUTE_MS, DAY_MS, DAY_MS, 3 * DAY_MS, 10 * DAY_MS, DAY_MS] as const
const REST_MS = patient(20_000)

/** Lets everything have its time, with the desk at work, and then compares the books. */
export async function endRun(
  product: Product,
  { desk, faults, found }: Staffed,
  seed: number,
  people: readonly Told[] = [],
): Promise<{ found: Violation[]; lines: string[] }> {
  const random = createRandom(seedOf(seed, 'desk'))
  const lines: string[] = []
  await faults.clear()
  for (const step of STEPS_MS) {
    const busy = await quiet(product)
    if (busy.length) lines.push(`still busy: ${busy.map(({ name, state, count }) => `${count} x ${name} ${state}`).join(', ')}`)
    const done = Object.entries(await desk.workThrough(random))
    lines.push(`desk: ${done.map(([what, times]) => `${times} x ${what}`).join(', ') || 'nothing waits'}`)
    await product.moveClock(step)
  }
  await quiet(product)
  await desk.workThrough(random)
  await quiet(product)
  for (const { lastLook } of people) await lastLook?.()
  return { found: [...found, ...(await checkAtRest(product))], lines }
}

interface Busy {
  readonly name: string
  readonly state: string
  readonly count: number
}

/** Until no job is due and nothing of a call is open: jobs that fail and wait for another try are not waited for. Answers what kept it up to the end. */
async function quiet({ db }: Product): Promise<readonly Busy[]> {
  const until = Date.now() + REST_MS
  let rows: readonly Busy[] = []
  for (let calm = 0; calm < 3 && Date.now() < until; await sleep(150)) {
    rows = await db.query<Busy>(
      `select name, state::text, count(*)::int from jobs.job where state = 'active' or (state in ('created', 'retry') and start_after <= now()) group by 1, 2
        union all select 'gateway_calls', 'open', count(*)::int from gateway_calls having count(*) > 0
        union all select 'gateway_unposted', 'open', count(*)::int from gateway_unposted having count(*) > 0`,
    )
    calm = rows.length ? 0 : calm + 1
  }
  // jobs that look by themselves do so each second
  await sleep(1_500)
  return rows
}
