import { getNotifyChannel } from '#platform/server/database/notify-channel.ts'
import { bindToTransaction, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { hashPassword, passwordMatches, findContact } from '#features/account/server/door.ts'
import {
  beginTask,
  lapseTask,
  moveTask,
  readServicePrice,
  readQuotaStatus,
  requireServiceOpen,
  selectTask,
  selectTasks,
} from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { Mailbox, mailboxContract } from '../../contract.ts'
import { RESERVED_MAILBOX_NAMES } from '../../words.ts'
import type { BoxState } from '../../words.ts'
import { listMailDomains } from '../config.ts'
import {
  findMailbox,
  closeOtherOpenings,
  countGuess,
  resetGuesses,
  findAddressHolder,
  insertBox,
  insertOpening,
  listMailboxOpenings,
  notifyMailboxWaiters,
  setPassword,
  wipeBox,
  listMailboxes,
  countMails,
} from '../data.ts'
import { ensureMailKey } from '../secrets.ts'
import { boxDays, maxMailboxes, openHours, passwordMinutes } from '../settings.ts'
import { MAILBOX_SERVICE, mailboxSpec } from './service.ts'
import { computePercentFull, readMailboxLimits } from './fullness.ts'

const STATES: Readonly<Record<string, BoxState>> = {
  draft: 'draft',
  generating: 'generating',
  fresh: 'fresh',
  success: 'success',
  ended: 'ended',
  failed: 'failed',
  closed: 'failed',
}

async function buildMailboxRows(ctx: Ctx, tasks: readonly Task[]): Promise<Mailbox[]> {
  const ids = tasks.map(({ id }) => id)
  const [boxes, counts, open, auxiliary, room] = await Promise.all([
    listMailboxes(ctx.db, ids),
    countMails(ctx.db, ids),
    listMailboxOpenings(ctx.db, ids, ctx.sessionId),
    maskContactEmail(ctx),
    readMailboxLimits(ctx),
  ])
  return tasks.map((task) => {
    const box = boxes.find(({ taskId }) => taskId === task.id)
    const address = box?.address ?? String(task.facts['address'] ?? '')
    const state = STATES[task.state] ?? 'failed'
    const { mails, unread } = counts.get(task.id) ?? { mails: 0, unread: 0 }
    return {
      id: task.id,
      prefix: address.split('@')[0]!,
      address,
      auxiliaryEmail: auxiliary,
      state,
      cause: task.phase === 'failed' || task.phase === 'done' ? task.cause : '',
      createdTime: task.createdAt.toISOString(),
      deadlineTime: task.deadlineAt?.toISOString() ?? null,
      expiresTime: task.expiresAt?.toISOString() ?? null,
      isOpen: state === 'success' && open.has(task.id),
      mails,
      unread,
      full: Math.min(100, computePercentFull({ mails, bytes: box?.bytes ?? 0n }, room)),
      version: `${state}-${task.phase}-${box?.version ?? 0}-${open.has(task.id) ? 1 : 0}`,
    }
  })
}

async function maskContactEmail({ db, userId }: Ctx): Promise<string> {
  const email = (await findContact(db, userId))?.email ?? ''
  const [name = '', domain = ''] = email.split('@')
  return email ? `${name.slice(0, 2)}***@${domain}` : ''
}

type C = typeof mailboxContract
const MAX_PASSWORD_GUESSES = 5
const BLOCKED_MINUTES = 15
const DAY_MS = 86_400_000
const requireTx = (ctx: Ctx): Tx => ctx.tx ?? fail('INTERNAL')
const buildMailboxRow = async (ctx: Ctx, task: Task): Promise<Mailbox> => (await buildMailboxRows(bindToTransaction(ctx), [task]))[0]!

export async function requireOwnMailbox(ctx: Ctx, id: string): Promise<Task> {
  const task = await selectTask(bindToTransaction(ctx).db, id, ctx.userId)
  return task?.service === MAILBOX_SERVICE ? task : fail('MAILBOX_UNKNOWN')
}

export async function emailAddress(ctx: Ctx): Promise<ReplyOf<C['emailAddress']>> {
  return { suffixList: [...listMailDomains(ctx)] }
}

export async function emailCount(ctx: Ctx): Promise<ReplyOf<C['emailCount']>> {
  const [quota, price, days, minutes] = await Promise.all([
    readQuotaStatus(ctx, ctx.db, { userId: ctx.userId, service: MAILBOX_SERVICE }),
    readServicePrice(ctx, MAILBOX_SERVICE, 'box'),
    ctx.settings.get(boxDays),
    ctx.settings.get(passwordMinutes),
  ])
  return { ...quota, price: formatUsd(price), days, minutes, paused: await readPauseReason(ctx) }
}

async function readPauseReason(ctx: Ctx): Promise<string | null> {
  if (!listMailDomains(ctx).length) return ''
  try {
    await requireServiceOpen(ctx, mailboxSpec, { task: { userId: ctx.userId, product: 'box', facts: {} } })
    return null
  } catch (error) {
    if (error instanceof Failure && error.errorName === 'SERVICE_PAUSED') return String(error.data?.['reason'] ?? '')
    throw error
  }
}

export async function emailGet(ctx: Ctx): Promise<ReplyOf<C['emailGet']>> {
  return { rowList: await buildMailboxRows(ctx, await selectTasks(ctx.db, { userId: ctx.userId, service: MAILBOX_SERVICE, limit: 50 })) }
}

export async function emailApply(ctx: Ctx, { username, suffix }: InputOf<C['emailApply']>): Promise<ReplyOf<C['emailApply']>> {
  const domains = listMailDomains(ctx)
  const domain = suffix ?? domains[0]
  if (domain === undefined || !domains.includes(domain)) return fail('MAILBOX_OFF')
  if (RESERVED_MAILBOX_NAMES.has(username.replace(/\d+$/, ''))) fail('MAILBOX_RESERVED')
  return orderMailbox(ctx, `${username}@${domain}`)
}

async function orderMailbox(ctx: Ctx, address: string): Promise<ReplyOf<C['emailApply']>> {
  const tx = requireTx(ctx)
  await ensureMailKey(ctx, tx, ctx.userId)
  await releaseUnpaidAddress(ctx, tx, address)
  const atOnce = await ctx.settings.get(maxMailboxes)
  const { task, pay } = await beginTask(ctx, tx, { service: MAILBOX_SERVICE, userId: ctx.userId, product: 'box', facts: { address }, atOnce })
  // Names of unpaid drafts are reserved, too; a draft that expires frees its name
  if (!(await insertBox(tx, { taskId: task.id, userId: ctx.userId, address }))) fail('MAILBOX_TAKEN')
  return { box: await buildMailboxRow(ctx, task), pay }
}

/** Frees the name of an unpaid order of the same user, so that they can order it again. */
async function releaseUnpaidAddress(ctx: Ctx, tx: Tx, address: string): Promise<void> {
  const box = await findAddressHolder(tx, address)
  if (box?.userId === ctx.userId && (await lapseTask(ctx, tx, box.taskId))) await wipeBox(tx, box.taskId, true) // audited by moveTask
}

export async function emailReapply(ctx: Ctx, { id }: InputOf<C['emailReapply']>): Promise<ReplyOf<C['emailReapply']>> {
  const failed = await requireOwnMailbox(ctx, id)
  if (failed.phase !== 'failed') fail('MAILBOX_ENDED')
  const tx = requireTx(ctx)
  await wipeBox(tx, id, true)
  return orderMailbox(ctx, String(failed.facts['address']))
}

export async function emailPassword(ctx: Ctx, { id, password, confirm }: InputOf<C['emailPassword']>): Promise<Mailbox> {
  if (password !== confirm) fail('BAD_INPUT', { fields: ['confirm', 'password'] })
  const task = await requireOwnMailbox(ctx, id)
  const prefix = String(task.facts['address']).split('@')[0]!
  if (/^\d+$/.test(password) || password.toLowerCase().includes(prefix)) fail('MAILBOX_PASSWORD_WEAK')
  const hash = await hashPassword(password)
  const days = await ctx.settings.get(boxDays)
  await transact(ctx.db, ctx.actor, async (tx) => {
    const fresh = task.state === 'fresh'
    const isOpen = (await listMailboxOpenings(tx, [id], ctx.sessionId)).has(id)
    if (!fresh && task.state !== 'success') fail('MAILBOX_ENDED')
    if (!fresh && !isOpen) fail('MAILBOX_LOCKED')
    // The password completes the delivery, and the charge
    if (fresh && !(await moveTask(ctx, tx, { id, from: ['fresh'], to: { to: 'success', expiresAt: new Date(task.now.getTime() + days * DAY_MS) } })))
      fail('MAILBOX_ENDED')
    await setPassword(tx, id, hash)
    await closeOtherOpenings(tx, id, ctx.sessionId)
    await insertOpening(tx, id, { sessionId: ctx.sessionId, hours: await ctx.settings.get(openHours) })
    await tx.audit('mailbox.password_set', `service:${id}`)
    await notifyMailboxWaiters(tx, id)
  })
  return buildMailboxRow(ctx, await requireOwnMailbox(ctx, id))
}

export async function emailLogin(ctx: Ctx, { id, password }: InputOf<C['emailLogin']>): Promise<Mailbox> {
  const task = await requireOwnMailbox(ctx, id)
  const box = await findMailbox(ctx.db, id)
  if (task.state !== 'success' || !box?.passwordHash) return fail('MAILBOX_ENDED')
  // Counted before the check, so that parallel guesses get no extra tries
  const guesses = await countGuess(ctx.db, id, { most: MAX_PASSWORD_GUESSES, minutes: BLOCKED_MINUTES })
  if (guesses === undefined) fail('MAILBOX_BLOCKED', { minutes: BLOCKED_MINUTES })
  if (!(await passwordMatches(box.passwordHash, password))) fail('MAILBOX_PASSWORD_WRONG', { left: Math.max(0, MAX_PASSWORD_GUESSES - guesses!) })
  await resetGuesses(ctx.db, id)
  await insertOpening(ctx.db, id, { sessionId: ctx.sessionId, hours: await ctx.settings.get(openHours) })
  return buildMailboxRow(ctx, task)
}

/** Long poll: responds as soon as the state differs from the page's. Holds no database connection while waiting. */
export async function emailRefresh(ctx: Ctx, { id, version, waitSeconds }: InputOf<C['emailRefresh']>): Promise<Mailbox> {
  const until = Date.now() + waitSeconds * 1000
  for (;;) {
    const left = version === undefined ? 0 : until - Date.now()
    const waiting = left > 0 ? getNotifyChannel(ctx, 'mailbox').wait(id, ctx.userId) : undefined
    try {
      const box = await buildMailboxRow(ctx, await requireOwnMailbox(ctx, id))
      if (box.version !== version || !waiting) return box
      await waiting.rung(left)
    } finally {
      waiting?.cancel()
    }
  }
}

export async function emailClose(ctx: Ctx, { id }: InputOf<C['emailClose']>): Promise<Mailbox> {
  const tx = requireTx(ctx)
  await requireOwnMailbox(ctx, id)
  const moved =
    (await moveTask(ctx, tx, { id, from: ['success'], to: { to: 'ended', cause: 'closed' } })) ??
    (await moveTask(ctx, tx, { id, from: ['generating', 'fresh'], to: { to: 'closed', cause: 'given_up' } })) ??
    fail('MAILBOX_ENDED')
  await wipeBox(tx, id, moved.phase === 'failed')
  await notifyMailboxWaiters(tx, id)
  return buildMailboxRow(ctx, moved)
}
