import { createTextLookup, LANGS } from '#platform/shared/texts.ts'
import { createId } from '#platform/shared/ids.ts'
import { NANO_PER_USD } from '#platform/shared/money.ts'

import { backdateCard, backdateTask, backdateWait, selectUserCard, incrementChecks, selectRefundState, selectUpgradeTaskId } from './data-outcomes.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import type { TestApp } from '#platform/testing/http.ts'
import type { TestDb } from '#platform/testing/db.ts'
import { aPayPassword, aUser } from '#features/account/server/builders.ts'
import type { BuiltUser } from '#features/account/server/builders.ts'
import { anActiveCard, aRecharge, replaceIssuers as standInIssuers } from '#features/cards/server/builders.ts'
import { selectCardById } from '#features/cards/server/cards/data.ts'
import { selectMoveById } from '#features/cards/server/money/data.ts'
import { workMove } from '#features/cards/server/money/work-moves.ts'
import { workCard } from '#features/cards/server/lifecycle/work-cards.ts'
import { createBookIssuer } from '#features/cards/server/testing/book-issuer.ts'
import { aFundedCard as aLoadedCard } from '#features/cards/server/testing/funded-card.ts'
import { issuerPort } from '#features/cards/server/vendors/index.ts'
import { aReadyHolder } from '#features/identity/server/builders.ts'
import { aWithdrawal } from '#features/payments/server/builders.ts'
import { WITHDRAWAL_ABOUT_TEXT, WITHDRAWAL_REASON_TEXT } from '#features/payments/labels/texts-withdrawal-states.ts'
import type { createRefundingApp } from '#features/payments/server/testing/refunding.ts'
import { workRefund } from '#features/payments/server/reconciling/work-refund.ts'
import { selectWithdrawalByNo } from '#features/payments/server/set-aside/data.ts'
import { advanceWithdrawal } from '#features/payments/server/withdrawals/verbs/advance-withdrawals.ts'
import { releaseUnmatchedNumbers, holdingsSubject } from '#features/numbers/server/rent/unmatched-numbers.ts'
import { replaceRemoteSuppliers as standInRemote } from '#features/remote/server/builders.ts'
import { remotePort } from '#features/remote/server/vendors/index.ts'
import type { RemoteSupplier } from '#features/remote/server/vendors/port.ts'
import { makeTrialEligible } from '#features/services/server/builders.ts'
import { listServiceSpecs, selectTask, workTask } from '#features/services/server/door.ts'
import { aFundedUser } from '#features/wallet/server/builders.ts'
import { readBalance, readCardBalances } from '#features/wallet/server/door.ts'

/** State of an order as its user sees it. */
export interface OrderOutcome {
  /** `people`: an operator takes over; nothing is charged yet. */
  readonly end: 'open' | 'failed' | 'done' | 'people'
  readonly reason: string
  readonly next: string
  /** The whole payment belongs to the user again, or still does. */
  readonly isMoneyBack: boolean
}
/** An order that waits for a supplier. */
export interface WaitingOrder {
  /** Its row in `supplier_waits`. */
  readonly subject: string
  readonly work: () => Promise<unknown>
  /** Moves the order's times back by so many hours, its own limits included. */
  readonly pass: (hours: number) => Promise<unknown>
  readonly standing: () => Promise<OrderOutcome>
}
export interface OrderPortRow {
  readonly port: string
  /** The call that creates something at the supplier, and those that look it up. */
  readonly write: string
  readonly lookups: readonly string[]
  /** Final state after a refusal, and after a day of retryable failures. */
  readonly refused: 'failed' | 'people'
  /** Final state after a lost response, once the supplier responds again. */
  readonly found: 'done' | 'failed' | 'open'
  readonly begin: () => Promise<WaitingOrder>
}

const PIN = '271828'

export interface OutcomeWorld {
  readonly db: TestDb
  readonly app: TestApp
  readonly paying: Awaited<ReturnType<typeof createRefundingApp>>
}

async function aBuyer({ db, app: { deps } }: OutcomeWorld): Promise<BuiltUser> {
  const user = await aUser(deps)
  await aPayPassword(deps, user.userId, PIN)
  await aFundedUser(db, { userId: user.userId, purchased: 100n * NANO_PER_USD })
  return user
}

/** Reply of an endpoint: the text fields that the suite reads. */
type Reply = Readonly<Record<string, unknown>>
const readPart = (reply: Reply, name: string) => reply[name] as Reply
const readText = (reply: Reply, name: string) => reply[name] as string

const createPoster =
  ({ app }: OutcomeWorld, { token }: Pick<BuiltUser, 'token'>) =>
  async (path: string, body: object): Promise<Reply> => {
    const { code, msg, data } = await app.call('POST', path, body, { token, idempotencyKey: createId('key') })
    if (code !== 200) throw new Error(`${path}: ${code} ${msg}`)
    return data as Reply
  }

/** A task of a service: its own limits end it; after that, anything it may have created at the supplier is looked up. */
function buildTaskOrder({ db, app: { deps } }: OutcomeWorld, id: string, { userId, before }: { userId: string; before: bigint }): WaitingOrder {
  return {
    subject: `service:${id}`,
    work: async () => {
      await incrementChecks(db.owner, id)
      await workTask(deps, id)
    },
    pass: async (hours) => {
      await backdateWait(db.owner, `service:${id}`, hours)
      await backdateTask(db.owner, id, hours)
    },
    standing: async () => {
      const task = (await selectTask(db, id))!
      const spec = listServiceSpecs().find(({ name }) => name === task.service)!
      const isNamed = task.cause !== '' && LANGS.every((lang) => createTextLookup(spec.texts, 'cause_')(lang, task.cause))
      const { posted, held } = await readBalance(db, userId)
      const isFree = task.free !== 'taken' && task.money !== 'charged'
      const byPeople = task.phase === 'waiting' && (task.supplier === 'desk' || spec.states[task.state]?.desk !== undefined)
      return {
        end: task.phase === 'failed' ? 'failed' : task.phase === 'done' || task.phase === 'using' ? 'done' : byPeople ? 'people' : 'open',
        reason: isNamed ? task.cause : '',
        next: spec.path,
        isMoneyBack: isFree && posted === before && (byPeople || held === 0n),
      }
    },
  }
}

const paidAmount = 100n * NANO_PER_USD

async function buyTask(world: OutcomeWorld, user: BuiltUser, order: { path: string; body: object; pay: (data: Reply) => object; id: (data: Reply) => string }) {
  const post = createPoster(world, user)
  const data = await post(order.path, order.body)
  await post('/v1/pay/balancePay', { ...order.pay(data), payPassword: PIN })
  return buildTaskOrder(world, order.id(data), { userId: user.userId, before: paidAmount })
}

let linkCount = 0

const buildServiceRows = (world: OutcomeWorld): readonly OrderPortRow[] => [
  {
    ...{ port: 'registration', write: 'submit', lookups: ['find', 'look'], refused: 'people', found: 'done' },
    begin: async () =>
      buyTask(world, await aBuyer(world), {
        ...{ path: '/reward/openai/apply', body: { email: `w${++linkCount}@example.com`, password: 'a horse of batteries', confirm: 'a horse of batteries' } },
        ...{ pay: (data) => ({ orderType: 6, service: readText(readPart(data, 'row'), 'id') }), id: (data) => readText(readPart(data, 'row'), 'id') },
      }),
  },
  {
    ...{ port: 'flex', write: 'admit', lookups: ['memberByKey', 'member'], refused: 'failed', found: 'done' },
    begin: async () => {
      const user = await aBuyer(world)
      await makeTrialEligible(world.db, user.userId)
      return buyTask(world, user, {
        ...{ path: '/v1/tool/openaiPlus/applySharePlus', body: { packageId: 2, inviteCode: '' } },
        ...{ pay: (data) => ({ ...readPart(data, 'pay'), amount: undefined }), id: (data) => readText(data, 'taskId') },
      })
    },
  },
  {
    ...{ port: 'remote', write: 'start', lookups: ['find', 'look'], refused: 'failed', found: 'open' },
    begin: async () => {
      const user = await aBuyer(world)
      await anActiveCard(world.app.deps, { userId: user.userId })
      return buyTask(world, user, {
        ...{ path: '/reward/kasm/apply', body: { more: false } },
        ...{ pay: (data) => ({ orderType: 3, service: readText(readPart(data, 'pay'), 'service') }), id: (data) => readText(readPart(data, 'task'), 'id') },
      })
    },
  },
  {
    // A lost number is not looked up by key: another supplier is called, and the rented number is found in the list of all held numbers and
    // released.
    ...{ port: 'numbers', write: 'rent', lookups: ['open', 'look'], refused: 'failed', found: 'failed' },
    begin: async () => {
      const user = await aBuyer(world)
      await anActiveCard(world.app.deps, { userId: user.userId })
      const id = readText(await createPoster(world, user)('/v1/tool/reward/overseaMobile/apply', { type: 1 }), 'id')
      const task = buildTaskOrder(world, id, { userId: user.userId, before: paidAmount })
      const subject = holdingsSubject('sandbox')
      return {
        ...{ ...task, subject },
        work: () => task.work().then(() => releaseUnmatchedNumbers(world.app.deps, 0)),
        pass: (hours) => task.pass(hours).then(() => backdateWait(world.db.owner, subject, hours)),
      }
    },
  },
  { ...{ port: 'upgrade', write: 'place', lookups: ['byKey', 'look'], refused: 'people', found: 'open' }, begin: () => aQueuedUpgrade(world) },
]

const issuer = createBookIssuer()

async function aQueuedUpgrade(world: OutcomeWorld): Promise<WaitingOrder> {
  const { db, app } = world
  const { user, card } = await aLoadedCard(app.deps, db, { issuer, options: { dollars: 25 } })
  await aPayPassword(app.deps, user.userId, PIN)
  const post = createPoster(world, user)
  const link = `https://pay.openai.com/c/pay/cs_live_${`a1B2c3D4e5F6g7H8i9J0${++linkCount}`}#fidkdWxOYHwnPyd1blpxYHZxWjA0`
  const draft = await post('/reward/bindTask', { plan: 'chatgpt-plus', account: `wang${linkCount}@fastmail.com`, link })
  await post('/reward/bindQueue', { id: draft.id, cardId: card.id, total: '20', payPassword: PIN })
  const subject = buildTaskOrder(world, await selectUpgradeTaskId(db, readText(draft, 'id')), { userId: user.userId, before: 0n })
  const onCard = async () => (await readCardBalances(db, [card.id])).get(card.id)!
  return {
    ...subject,
    standing: async () => {
      const standing = await subject.standing()
      const { posted, available } = await onCard()
      return { ...standing, isMoneyBack: posted === 25n * NANO_PER_USD && (standing.end !== 'failed' || available === posted) }
    },
  }
}

/** A user with a verified identity and a balance. */
export async function aReadyUser(world: OutcomeWorld): Promise<BuiltUser> {
  const user = await aBuyer(world)
  await aReadyHolder(world.app.deps, user.userId)
  return user
}

async function anOpening(world: OutcomeWorld): Promise<WaitingOrder> {
  const { db, app } = world
  const user = await aReadyUser(world)
  const post = createPoster(world, user)
  await post('/v1/pay/balancePay', { orderType: 1, service: 'standard', payPassword: PIN })
  const { id, orderNo } = await selectUserCard(db, user.userId)
  return {
    subject: `order:${orderNo}`,
    work: () => workCard(app.deps, id),
    pass: (hours) => backdateCard(db.owner, id, hours),
    standing: async () => {
      const shown = await post('/card/info', { id })
      const state = readText(shown, 'state')
      const isMoneyBack = (await readBalance(db, user.userId)).available === paidAmount
      return {
        end: state === 'failed' ? 'failed' : state === 'active' ? 'done' : 'open',
        reason: readText(shown, 'failReason') ?? '',
        next: readText(readPart(shown, 'failure') ?? {}, 'next') ?? '',
        isMoneyBack,
      }
    },
  }
}

/** A recharge from the balance to a card. */
async function aCardRecharge(world: OutcomeWorld): Promise<WaitingOrder> {
  const { db, app } = world
  const { user, card } = await aLoadedCard(app.deps, db, { issuer })
  await aFundedUser(db, { userId: user.userId, purchased: paidAmount })
  const id = await aRecharge(app.deps, card, 5n * NANO_PER_USD)
  return {
    subject: `move:${id}`,
    work: () => workMove(app.deps, id),
    pass: (hours) => backdateWait(db.owner, `move:${id}`, hours),
    standing: async () => {
      const { state, reason } = (await selectMoveById(db, id))!
      const isMoneyBack = (await readBalance(db, user.userId)).available === paidAmount
      const next = (await selectCardById(db, card.id))?.state === 'active' ? 'recharge' : ''
      return { end: state === 'failed' ? 'failed' : state === 'done' ? 'done' : 'open', reason, next, isMoneyBack }
    },
  }
}

async function aPayout(world: OutcomeWorld): Promise<WaitingOrder> {
  const { db, app } = world
  const user = await aBuyer(world)
  const no = await aWithdrawal(app.deps, { userId: user.userId })
  return {
    subject: `withdrawal:${no}`,
    work: () => advanceWithdrawal(app.deps, no),
    pass: (hours) => backdateWait(db.owner, `withdrawal:${no}`, hours),
    standing: async () => {
      const { state, reason } = (await selectWithdrawalByNo(db, no))!
      const isMoneyBack = (await readBalance(db, user.userId)).available === paidAmount
      return {
        end: state === 'failed' ? 'failed' : state === 'paid' ? 'done' : 'open',
        reason: reason in WITHDRAWAL_REASON_TEXT ? reason : '',
        next: state === 'failed' ? WITHDRAWAL_ABOUT_TEXT.failed : '',
        isMoneyBack,
      }
    },
  }
}

async function aRefund({ paying }: OutcomeWorld): Promise<WaitingOrder> {
  const { db, deps } = paying
  const { orderNo, userId } = await paying.paid({ amount: '20' })
  const before = await paying.balance(userId)
  const { refundNo } = await paying.refund(orderNo, '8')
  const { id } = await selectRefundState(db, refundNo)
  return {
    subject: `refund:${refundNo}`,
    work: () => workRefund(deps, id),
    pass: (hours) => backdateWait(db.owner, `refund:${refundNo}`, hours),
    standing: async () => {
      const { state, failure } = await selectRefundState(db, refundNo)
      const end = state === 'failed' ? 'failed' : state === 'succeeded' ? 'done' : 'open'
      // The order is unchanged again, and its buyer may request another refund.
      const next = (await paying.stateOf(orderNo)) === 'fulfilled' ? 'refund' : ''
      return { end, reason: failure ?? '', next, isMoneyBack: (await paying.balance(userId)) === before }
    },
  }
}

/** Every port for which an order with money can wait. */
export const buildOrderRows = (world: OutcomeWorld): readonly OrderPortRow[] => [
  { ...{ port: 'cards.issuer', write: 'createCard', lookups: ['cardByKey', 'card'], refused: 'failed', found: 'done' }, begin: () => anOpening(world) },
  { ...{ port: 'cards.issuer', write: 'load', lookups: ['loadByKey'], refused: 'failed', found: 'done' }, begin: () => aCardRecharge(world) },
  { ...{ port: 'payments.payout', write: 'send', lookups: ['query'], refused: 'failed', found: 'done' }, begin: () => aPayout(world) },
  { ...{ port: 'payments.channel', write: 'refund', lookups: ['queryRefund'], refused: 'failed', found: 'done' }, begin: () => aRefund(world) },
  ...buildServiceRows(world),
]

/** Uses in-memory suppliers where the sandbox would need a separate server, behind the same fault injection. */
export function connectSuppliers({ app: { deps }, db }: OutcomeWorld): void {
  standInIssuers(deps, [withFaults(issuerPort, issuer, () => db) as never])
  standInRemote(deps, [withFaults(remotePort, aRemoteSupplier(), () => db)])
}

function aRemoteSupplier(): RemoteSupplier {
  const live = new Map<string, string>()
  const find = async (key: string) => (live.has(key) ? { ref: live.get(key)! } : undefined)
  return {
    name: 'book',
    start: async (key) => {
      live.set(key, live.get(key) ?? createId('kasm'))
      return { ref: live.get(key)! }
    },
    find,
    look: async (ref) => ([...live.values()].includes(ref) ? 'starting' : 'gone'),
    enter: async () => 'https://remote.example/',
    keepAlive: async () => {},
    end: async (key) => void live.delete(key),
  }
}
