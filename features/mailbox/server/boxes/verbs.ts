import { bellOf } from '#platform/server/database/bell.ts'
import { onTx, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { usd } from '#platform/shared/money.ts'
import { hashPassword, passwordMatches } from '#features/account/server/door.ts'
import { beginTask, lapseTask, moveTask, priceOf, quotaNow, refuseClosed, taskById, tasksOf } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { Mailbox, mailboxContract } from '../../contract.ts'
import { RESERVED } from '../../words.ts'
import { domainsOf } from '../config.ts'
import { boxOf, closeOthers, countGuess, forgetGuesses, holderOf, insertBox, insertOpening, openingsOf, ring, setPassword, wipeBox } from '../data.ts'
import { ensureKey } from '../secrets.ts'
import { boxDays, mostBoxes, openHours, passwordMinutes } from '../settings.ts'
import { MAILBOX, mailboxSpec } from './service.ts'
import { boxViews } from './view.ts'

type C = typeof mailboxContract
const GUESSES = 5
const BLOCKED_MINUTES = 15
const DAY_MS = 86_400_000
const txOf = (ctx: Ctx): Tx => ctx.tx ?? fail('INTERNAL')
const view = async (ctx: Ctx, task: Task): Promise<Mailbox> => (await boxViews(onTx(ctx), [task]))[0]!

export async function ownBox(ctx: Ctx, id: string): Promise<Task> {
  const task = await taskById(onTx(ctx).db, id, ctx.userId)
  return task?.service === MAILBOX ? task : fail('MAILBOX_UNKNOWN')
}

export async function emailAddress(ctx: Ctx): Promise<ReplyOf<C['emailAddress']>> {
  return { suffixList: [...domainsOf(ctx)] }
}

export async function emailCount(ctx: Ctx): Promise<ReplyOf<C['emailCount']>> {
  const [quota, price, days, minutes] = await Promise.all([
    quotaNow(ctx, ctx.db, ctx.userId, MAILBOX),
    priceOf(ctx, MAILBOX, 'box'),
    ctx.settings.get(boxDays),
    ctx.settings.get(passwordMinutes),
  ])
  return { ...quota, price: usd(price), days, minutes, paused: await pausedWhy(ctx) }
}

async function pausedWhy(ctx: Ctx): Promise<string | null> {
  if (!domainsOf(ctx).length) return ''
  try {
    await refuseClosed(ctx, mailboxSpec, { user_id: ctx.userId, product: 'box', facts: {} })
    return null
  } catch (error) {
    if (error instanceof Failure && error.errorName === 'SERVICE_PAUSED') return String(error.data?.['reason'] ?? '')
    throw error
  }
}

export async function emailGet(ctx: Ctx): Promise<ReplyOf<C['emailGet']>> {
  return { rowList: await boxViews(ctx, await tasksOf(ctx.db, { userId: ctx.userId, service: MAILBOX, limit: 50 })) }
}

export async function emailApply(ctx: Ctx, { username, suffix }: InputOf<C['emailApply']>): Promise<ReplyOf<C['emailApply']>> {
  const domains = domainsOf(ctx)
  const domain = suffix ?? domains[0]
  if (domain === undefined || !domains.includes(domain)) return fail('MAILBOX_OFF')
  if (RESERVED.has(username.replace(/\d+$/, ''))) fail('MAILBOX_RESERVED')
  return begin(ctx, `${username}@${domain}`)
}

async function begin(ctx: Ctx, address: string): Promise<ReplyOf<C['emailApply']>> {
  const tx = txOf(ctx)
  await ensureKey(ctx, tx, ctx.userId)
  await letGoUnpaid(ctx, tx, address)
  const atOnce = await ctx.settings.get(mostBoxes)
  const { task, pay } = await beginTask(ctx, tx, { service: MAILBOX, userId: ctx.userId, product: 'box', facts: { address }, atOnce })
  // The name is kept for what is being paid, too; a draft that lapses gives it free
  if (!(await insertBox(tx, { taskId: task.id, userId: ctx.userId, address }))) fail('MAILBOX_TAKEN')
  return { box: await view(ctx, task), pay }
}

/** Frees the name of an unpaid order of the same user, so that they can order it again. */
async function letGoUnpaid(ctx: Ctx, tx: Tx, address: string): Promise<void> {
  const box = await holderOf(tx, address)
  if (box?.user_id === ctx.userId && (await lapseTask(ctx, tx, box.task_id))) await wipeBox(tx, box.task_id, true) // audited by moveTask
}

export async function emailReapply(ctx: Ctx, { id }: InputOf<C['emailReapply']>): Promise<ReplyOf<C['emailReapply']>> {
  const failed = await ownBox(ctx, id)
  if (failed.phase !== 'failed') fail('MAILBOX_ENDED')
  const tx = txOf(ctx)
  await wipeBox(tx, id, true)
  return begin(ctx, String(failed.facts['address']))
}

export async function emailPassword(ctx: Ctx, { id, password, confirm }: InputOf<C['emailPassword']>): Promise<Mailbox> {
  if (password !== confirm) fail('BAD_INPUT', { fields: ['confirm', 'password'] })
  const task = await ownBox(ctx, id)
  const prefix = String(task.facts['address']).split('@')[0]!
  if (/^\d+$/.test(password) || password.toLowerCase().includes(prefix)) fail('MAILBOX_PASSWORD_WEAK')
  const hash = await hashPassword(password)
  const days = await ctx.settings.get(boxDays)
  await transact(ctx.db, ctx.actor, async (tx) => {
    const fresh = task.state === 'fresh'
    const isOpen = (await openingsOf(tx, [id], ctx.sessionId)).has(id)
    if (!fresh && task.state !== 'success') fail('MAILBOX_ENDED')
    if (!fresh && !isOpen) fail('MAILBOX_LOCKED')
    // Delivered, and charged, with the password
    if (fresh && !(await moveTask(ctx, tx, id, ['fresh'], { to: 'success', expiresAt: new Date(task.now.getTime() + days * DAY_MS) }))) fail('MAILBOX_ENDED')
    await setPassword(tx, id, hash)
    await closeOthers(tx, id, ctx.sessionId)
    await insertOpening(tx, id, ctx.sessionId, await ctx.settings.get(openHours))
    await tx.audit('mailbox.password_set', `service:${id}`)
    await ring(tx, id)
  })
  return view(ctx, await ownBox(ctx, id))
}

export async function emailLogin(ctx: Ctx, { id, password }: InputOf<C['emailLogin']>): Promise<Mailbox> {
  const task = await ownBox(ctx, id)
  const box = await boxOf(ctx.db, id)
  if (task.state !== 'success' || !box?.password_hash) return fail('MAILBOX_ENDED')
  // Counted before it is looked at: many at once get no more tries than one after another
  const guesses = await countGuess(ctx.db, id, GUESSES, BLOCKED_MINUTES)
  if (guesses === undefined) fail('MAILBOX_BLOCKED', { minutes: BLOCKED_MINUTES })
  if (!(await passwordMatches(box.password_hash, password))) fail('MAILBOX_PASSWORD_WRONG', { left: Math.max(0, GUESSES - guesses!) })
  await forgetGuesses(ctx.db, id)
  await insertOpening(ctx.db, id, ctx.sessionId, await ctx.settings.get(openHours))
  return view(ctx, task)
}

/** Answers as soon as it is no longer what the page knows. No connection of the database is held while waiting. */
export async function emailRefresh(ctx: Ctx, { id, version, waitSeconds }: InputOf<C['emailRefresh']>): Promise<Mailbox> {
  const until = Date.now() + waitSeconds * 1000
  for (;;) {
    const left = version === undefined ? 0 : until - Date.now()
    const waiting = left > 0 ? bellOf(ctx, 'mailbox').wait(id, ctx.userId) : undefined
    try {
      const box = await view(ctx, await ownBox(ctx, id))
      if (box.version !== version || !waiting) return box
      await waiting.rung(left)
    } finally {
      waiting?.cancel()
    }
  }
}

export async function emailClose(ctx: Ctx, { id }: InputOf<C['emailClose']>): Promise<Mailbox> {
  const tx = txOf(ctx)
  await ownBox(ctx, id)
  const moved =
    (await moveTask(ctx, tx, id, ['success'], { to: 'ended', cause: 'closed' })) ??
    (await moveTask(ctx, tx, id, ['generating', 'fresh'], { to: 'closed', cause: 'given_up' })) ??
    fail('MAILBOX_ENDED')
  await wipeBox(tx, id, moved.phase === 'failed')
  await ring(tx, id)
  return view(ctx, moved)
}
