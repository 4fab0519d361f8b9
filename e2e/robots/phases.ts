import { setTimeout as sleep } from 'node:timers/promises'
import { scaleTimeout } from '#platform/testing/patience.ts'
import type { PersonTrace } from './run.ts'
import { openRobotDesk } from './desk/desk.ts'
import type { RobotDesk } from './desk/desk.ts'
import { openSupplierFaults } from './faults.ts'
import type { SupplierFaults } from './faults.ts'
import { checkBooksAtRest } from './oracle/at-rest.ts'
import type { RobotViolation } from './oracle/violation.ts'
import { createSeededRandom, deriveSeed } from './people/random.ts'
import type { RobotProduct } from './stage/product.ts'
import { RUN_DAY_MS, moveClockToEleven } from './stage/hours.ts'

export interface StaffedRun {
  readonly faults: SupplierFaults
  readonly desk: RobotDesk
  readonly found: RobotViolation[]
}

/** Runs the desk every few seconds until `work` is done. */
export async function withDesk<T>({ desk }: Pick<StaffedRun, 'desk'>, seed: number, work: Promise<T>): Promise<T> {
  const random = createSeededRandom(deriveSeed(seed, 'desk meanwhile'))
  let isOver = false
  const beside = (async () => {
    while (!isOver) {
      await sleep(scaleTimeout(3_000))
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

/** Moves the clock to eleven in the morning, with two operators at the desk. */
export async function startRun(product: RobotProduct): Promise<StaffedRun> {
  await moveClockToEleven(product)
  const found: RobotViolation[] = []
  return { faults: await openSupplierFaults(product), desk: await openRobotDesk(product, (violation) => void found.push(violation)), found }
}

const MINUTE_MS = 60_000
/**
 * Time steps that cover all promised periods: minutes of orders and numbers, hours of drafts, a day of payouts, two weeks of rewards and
 * refunds.
 */
const STEPS_MS = [16 * MINUTE_MS, 45 * MINUTE_MS, 5 * 60 * MINUTE_MS, RUN_DAY_MS, RUN_DAY_MS, 3 * RUN_DAY_MS, 10 * RUN_DAY_MS, RUN_DAY_MS] as const
const REST_MS = scaleTimeout(20_000)

/** Lets all promised periods pass, with the desk at work, and then compares the books. */
export async function endRun(
  product: RobotProduct,
  { desk, faults, found }: StaffedRun,
  { seed, people = [] }: { readonly seed: number; readonly people?: readonly PersonTrace[] },
): Promise<{ found: RobotViolation[]; lines: string[] }> {
  const random = createSeededRandom(deriveSeed(seed, 'desk'))
  const lines: string[] = []
  await faults.clear()
  for (const step of STEPS_MS) {
    const busy = await waitUntilQuiet(product)
    if (busy.length) lines.push(`still busy: ${busy.map(({ name, state, count }) => `${count} x ${name} ${state}`).join(', ')}`)
    const done = Object.entries(await desk.workThrough(random))
    lines.push(`desk: ${done.map(([what, times]) => `${times} x ${what}`).join(', ') || 'nothing waits'}`)
    await product.moveClock(step)
  }
  await waitUntilQuiet(product)
  await desk.workThrough(random)
  await waitUntilQuiet(product)
  for (const { lastLook } of people) await lastLook?.()
  return { found: [...found, ...(await checkBooksAtRest(product))], lines }
}

interface PendingWork {
  readonly name: string
  readonly state: string
  readonly count: number
}

/** Waits until no job is due and no call is open, except jobs scheduled for a retry. Returns the work that was still open at the end. */
async function waitUntilQuiet({ db }: RobotProduct): Promise<readonly PendingWork[]> {
  const until = Date.now() + REST_MS
  let rows: readonly PendingWork[] = []
  for (let calm = 0; calm < 3 && Date.now() < until; await sleep(150)) {
    rows = await db.query<PendingWork>(
      `select name, state::text, count(*)::int from jobs.job where state = 'active' or (state in ('created', 'retry') and start_after <= now()) group by 1, 2
        union all select 'gateway_calls', 'open', count(*)::int from gateway_calls having count(*) > 0
        union all select 'gateway_unposted', 'open', count(*)::int from gateway_unposted having count(*) > 0`,
    )
    calm = rows.length ? 0 : calm + 1
  }
  // polling jobs run every second
  await sleep(1_500)
  return rows
}
