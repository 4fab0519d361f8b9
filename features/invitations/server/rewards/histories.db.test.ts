import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSettings } from '#platform/server/settings.ts'
import type { Db } from '#platform/server/database/db.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { Failure } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createPipelinedDb } from '#platform/testing/one-transaction.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { chooseRounds } from '#platform/testing/rounds.ts'
import { notices } from '#features/notices/server/index.ts'
import { payments } from '#features/payments/server/index.ts'
import { wallet } from '#features/wallet/server/index.ts'
import { insertRule, selectNewestRule } from '../data.ts'
import { invitations } from '../index.ts'
import { sumOpenEntries } from '../payouts/data.ts'
import { moveToBalance } from '../payouts/move-to-balance.ts'
import { invitationRewardSource } from '../payouts/reward-source.ts'
import { signalWeights } from '../settings.ts'
import { expectRewardSums, createInvitationHelpers, TEST_OPERATOR, ONE_USD } from '../testing/invitation-helpers.ts'

const RUNS = Number(process.env['HISTORIES'] ?? chooseRounds(30, 100_000))
const LANES = 3
/** Histories per transaction; one transaction each would mostly wait for the programme's budget lock. */
const TOGETHER = 200
const LANES_OF_MANY = 20

interface Step {
  readonly what: string
  readonly who: number
  readonly dollars: number
  /** Delivers the event at once; every event is delivered in the end. */
  readonly told: boolean
}
interface History {
  /** With second level, tiers and cashback, or with the default rules. */
  readonly whole: boolean
  readonly steps: readonly Step[]
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    'pay',
    'pay',
    'late',
    'refund',
    'refund',
    'dispute',
    'dispute',
    'won',
    'won',
    'lost',
    'ripen',
    'ripen',
    'move',
    'withdraw',
    'returned',
    'again',
  ),
  who: fc.constantFrom(0, 0, 0, 1, 1, 2),
  dollars: fc.constantFrom(1, 3, 5, 9, 9, 9),
  told: fc.boolean(),
})
const PAID: Step = { what: 'pay', who: 0, dollars: 9, told: true }
const history: fc.Arbitrary<History> = fc.record({
  whole: fc.constantFrom(true, false, false, false),
  steps: fc.array(step, { minLength: 2, maxLength: 5, size: 'max' }).map((steps) => [PAID, ...steps]),
})

/** Edge cases that always run: an available reward, clawed back by a dispute, restored when it is won, moved, withdrawn, returned. */
const AT_LEAST: History[] = [
  ['pay', 'ripen', 'dispute', 'won', 'ripen', 'move', 'refund', 'again'],
  ['pay', 'ripen', 'withdraw', 'dispute', 'returned', 'won', 'move', 'again'],
].map((words) => ({ whole: false, steps: words.map((what) => ({ ...PAID, what })) }))

interface Order {
  readonly no: string
  left: number
  disputed?: 'open' | 'over'
}
interface Someone {
  readonly id: string
  readonly orders: Order[]
}
interface Cast {
  readonly history: History
  readonly inviter: string
  readonly people: ReadonlyMap<number, Someone>
}

/** The users of a history: up to three invitees of one inviter. */
function castOf(played: History): Cast {
  const people = new Map([...new Set(played.steps.map(({ who }) => who))].map((who) => [who, { id: createId('usr'), orders: [] }]))
  return { history: played, inviter: createId('usr'), people }
}

const db = await useTestDb({ max: LANES + 1 })
const settings = createSettings(db.settingsDb)
const { deps: given } = createTestApp({ features: [invitations, payments, wallet, notices], db, overrides: { settings } })

/** Rules with a budget that no history can exhaust: a full month grants nothing, so nothing would be tested. */
async function rulesOf(whole: boolean): Promise<number> {
  const plain = await selectNewestRule(db)
  const parts = whole
    ? { tiers: [...[1, 2, 3].map((from) => ({ from, reward: `${from + 1}` }))], secondNano: ONE_USD, cashbackPercent: '5' }
    : { tiers: null, secondNano: null, cashbackPercent: null }
  const cap = 1_000_000_000n * ONE_USD
  return transact(db, TEST_OPERATOR, (tx) => insertRule(tx, { ...plain, ...parts, effectiveAt: new Date(), programmeCapNano: cap }))
}

/** Plays histories on a database: either each transaction commits, or all share one. */
function player(db: Db & { readonly owner: Db }) {
  const deps = { ...given, db }
  const isJoined = 'joined' in db
  const { bringAll, pay, refund, dispute, endDispute, reconcile, ripen } = createInvitationHelpers(db, deps)

  const anonymous = { sessionId: '', lang: 'zh', clientType: 1, ip: '127.0.0.1', userAgent: 'test' } as const
  async function move(userId: string): Promise<void> {
    const actor = { kind: 'user', id: userId } as const
    await transact(db, actor, (tx) => moveToBalance({ ...deps, ...anonymous, actor, userId, requestId: createId('req'), tx } satisfies Ctx, {})).catch(
      (error: unknown) => {
        if (!(error instanceof Failure) || error.errorName !== 'REWARD_NONE') throw error
      },
    )
  }

  /** Withdraws the whole available amount; undefined if there is none. */
  async function withdraw(userId: string): Promise<{ withdrawalNo: string; userId: string; amount: bigint } | undefined> {
    const amount = await sumOpenEntries(db, userId)
    if (amount <= 0n) return undefined
    const made = { withdrawalNo: createId('wd'), userId, amount }
    await transact(db, SYSTEM, (tx) => invitationRewardSource.take(tx, made))
    return made
  }

  /** Serializes the job, as in production; a parallel caller waits for its turn. */
  let job = Promise.resolve()
  const ripenInTurn = (people: Cast['people']) => (job = job.then(() => ripen([...people.values()].map(({ id }) => id))))

  /** Events at a channel: payments, refunds, disputes. */
  async function atChannel({ what, dollars }: Step, { id, orders }: Someone): Promise<void> {
    const free = orders.find((order) => order.left > 0 && !order.disputed)
    const open = orders.find((order) => order.disputed === 'open')
    if (what === 'pay' || what === 'late') orders.push({ no: await pay(id, BigInt(dollars) * ONE_USD, what === 'pay' ? 'credited' : 'late'), left: dollars })
    // the fen of these payments are synthetic: each order has room for one refund and one dispute
    if (what === 'refund' && free) {
      const part = Math.min(dollars, free.left)
      await refund(free.no, BigInt(part) * ONE_USD)
      free.left -= part
    }
    if (what === 'dispute' && free) {
      await dispute(free.no, BigInt(free.left) * ONE_USD)
      free.disputed = 'open'
    }
    if ((what === 'won' || what === 'lost') && open) {
      await endDispute(open.no, what === 'won')
      open.disputed = 'over'
      if (what === 'lost') open.left = 0
    }
  }

  /** Plays the steps in any order, with repeated reports. */
  async function live({ history: { steps }, inviter, people }: Cast): Promise<void> {
    const out: NonNullable<Awaited<ReturnType<typeof withdraw>>>[] = []
    for (const one of steps) {
      const someone = people.get(one.who)!
      if (one.what === 'ripen') await ripenInTurn(people)
      else if (one.what === 'move') await move(inviter)
      else if (one.what === 'withdraw') out.push(...[(await withdraw(inviter)) ?? []].flat())
      else if (one.what === 'returned' && out.length) await transact(db, SYSTEM, (tx) => invitationRewardSource.giveBack(tx, out.pop()!))
      else if (one.what === 'again') await (isJoined ? reconcile(someone.id) : Promise.all([reconcile(someone.id), reconcile(someone.id)]))
      else await atChannel(one, someone).then(() => (one.told ? reconcile(someone.id) : undefined))
    }
    for (const { id } of people.values()) await reconcile(id)
  }

  return async (histories: readonly History[], rules: Readonly<Record<'plain' | 'whole', number>>, lanes: number) => {
    const casts = histories.map(castOf)
    for (const whole of [true, false]) {
      const these = casts.filter((cast) => cast.history.whole === whole)
      const brought = these.flatMap(({ inviter, people }) => [
        [createId('usr'), inviter] as const,
        ...[...people.values()].map(({ id }) => [inviter, id] as const),
      ])
      await bringAll(brought, whole ? rules.whole : rules.plain)
    }
    const drawn = casts.values()
    const lane = async () => {
      for (const cast of drawn) await live(cast)
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }
}

test(`after ${RUNS} random histories with refunds and disputes every reward account is the sum of its rows`, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  console.log(`seed ${seed}`)
  await createInvitationHelpers(db, given).set(signalWeights, { ...signalWeights.fallback, weights: {} })
  const rules = { plain: await rulesOf(false), whole: await rulesOf(true) }
  const few = player(db)
  await few([...AT_LEAST, ...fc.sample(history, { numRuns: Math.min(RUNS, TOGETHER), seed })], rules, LANES)
  const { inOne, close } = await createPipelinedDb(db.url)
  for (let done = TOGETHER; done < RUNS; done += TOGETHER) {
    const more = fc.sample(history, { numRuns: Math.min(TOGETHER, RUNS - done), seed: seed + done })
    await inOne((joined) => player(Object.assign(joined, { owner: joined }))(more, rules, LANES_OF_MANY))
    if (done % 2000 === 0) console.log(`${done} histories, ${seconds()} s`)
  }
  await close()
  await expectRewardSums(db)
  const [seen = {}] = await db.query<Record<string, number>>(
    `select (select count(*) from invitations_rewards)::int as rewards, (select count(*) from invitations_rewards where state = 'refused')::int as refused,
      (count(*) filter (where kind = 'earned'))::int as earned, (count(*) filter (where kind = 'clawed_back'))::int as taken,
      (count(*) filter (where kind = 'restored'))::int as restored, (select count(*) from invitations_payouts where state = 'done')::int as paid,
      (select count(*) from invitations_payouts where state = 'returned')::int as returned from invitations_entries`,
  )
  console.log(JSON.stringify({ ...seen, seconds: seconds() }))
  // every case occurred, and in as many histories as expected
  const { taken, restored, returned, ...many } = seen
  expect(Math.min(taken!, restored!, returned!)).toBeGreaterThan(0)
  expect(many['rewards']).toBeGreaterThan(RUNS / 2)
  expect(many['earned']).toBeGreaterThan(RUNS / 20)
  expect(many['refused']).toBe(0)
})
