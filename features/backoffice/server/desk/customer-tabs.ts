import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { usd } from '#platform/shared/money.ts'
import { contactOf } from '#features/account/server/door.ts'
import { statement } from '#features/wallet/server/door.ts'
import type { customersContract } from '../../contract-customers.console.ts'
import { callsOf, cardLinesOf, keysOf, mailLinesOf, relationLinesOf, sessionLinesOf, talkLinesOf, timelineOf } from './data-customer-tabs.ts'
import { instantPlace, numberPlace, pageOf } from './keyset.ts'

type Contract = typeof customersContract
type Wanted = InputOf<Contract['customerLedger']>
const iso = (at: Date | null) => at?.toISOString() ?? null

export async function readTimeline(
  { db }: Ctx,
  { userId, kind, after, limit }: InputOf<Contract['customerTimeline']>,
): Promise<ReplyOf<Contract['customerTimeline']>> {
  const rows = await timelineOf(db, { userId, after: instantPlace(after), limit: limit + 1 }, kind)
  return pageOf(
    rows,
    limit,
    ({ id, at, kind: of, what, actor, note, nano, target }) => ({
      id,
      at: at.toISOString(),
      kind: of,
      what,
      actor,
      note,
      amount: nano === null ? null : usd(nano),
      target,
    }),
    (row) => `${row.us} ${row.id}`,
  )
}

export async function readLedger({ db }: Ctx, { userId, after, limit }: Wanted): Promise<ReplyOf<Contract['customerLedger']>> {
  const before = numberPlace(after)
  const rows = await statement(db, { userId, limit: limit + 1, ...(before === undefined ? {} : { before }) })
  return pageOf(
    rows,
    limit,
    ({ seq, kind, ref, amount, after: rest, at }) => ({ seq: String(seq), kind, ref, amount: usd(amount), after: usd(rest), at: at.toISOString() }),
    (row) => String(row.seq),
  )
}

export async function readCalls({ db }: Ctx, { userId, after, limit }: Wanted): Promise<ReplyOf<Contract['customerCalls']>> {
  const rows = await callsOf(db, { userId, after: instantPlace(after), limit: limit + 1 })
  return pageOf(
    rows,
    limit,
    (row) => ({
      ...{
        callId: row.call_id,
        at: row.started_at.toISOString(),
        keyId: row.key_id,
        model: row.model,
        upstream: row.upstream,
        outcome: row.outcome,
        status: row.status,
      },
      ...{
        inputTokens: String(row.input_tokens),
        outputTokens: String(row.output_tokens),
        ms: row.total_ms,
        amount: usd(row.amount),
        requestId: row.request_id,
      },
    }),
    (row) => `${row.us} ${row.call_id}`,
  )
}

export async function readKeys({ db }: Ctx, { userId }: Wanted): Promise<ReplyOf<Contract['customerKeys']>> {
  const rows = (await keysOf(db, userId)).map((row) => ({
    ...{ keyId: row.key_id, name: row.name, last4: row.last4, state: row.state, createdAt: row.created_at.toISOString() },
    ...{ lastUsedAt: iso(row.last_used_at), lastModel: row.last_model },
    paused: row.state === 'paused' ? { at: row.paused_at!.toISOString(), by: row.paused_by!.replace(/^operator:/, ''), reason: row.paused_reason! } : null,
  }))
  return { rows, next: null }
}

export async function readSessions({ db }: Ctx, { userId }: Wanted): Promise<ReplyOf<Contract['customerSessions']>> {
  const rows = (await sessionLinesOf(db, userId)).map((row) => ({
    ...{ id: row.id, ip: row.ip, userAgent: row.user_agent, createdAt: row.created_at.toISOString() },
    ...{ lastSeenAt: row.last_seen_at.toISOString(), expiresAt: row.expires_at.toISOString() },
  }))
  return { rows, next: null }
}

export async function readCards({ db }: Ctx, { userId }: Wanted): Promise<ReplyOf<Contract['customerCards']>> {
  const rows = (await cardLinesOf(db, userId)).map((row) => ({
    ...{ id: row.id, type: row.type, state: row.state, last4: row.last4, refusals: row.refusals },
    ...{ recharged: usd(row.total_recharged), spent: usd(row.total_spent), createdAt: row.created_at.toISOString() },
  }))
  return { rows, next: null }
}

export async function readNotices({ db }: Ctx, { userId, after, limit }: Wanted): Promise<ReplyOf<Contract['customerNotices']>> {
  const email = (await contactOf(db, userId))?.email
  if (!email) return { rows: [], next: null }
  const rows = await mailLinesOf(db, { userId, after: instantPlace(after), limit: limit + 1 }, email)
  return pageOf(
    rows,
    limit,
    ({ id, template, state, problem, created_at: at, ended_at: ended, is_kept: isKept }) => ({
      ...{ id, template, state, problem, isKept },
      ...{ createdAt: at.toISOString(), endedAt: iso(ended) },
    }),
    (row) => `${row.us} ${row.id}`,
  )
}

export async function readConversations({ db }: Ctx, { userId }: Wanted): Promise<ReplyOf<Contract['customerConversations']>> {
  const rows = (await talkLinesOf(db, userId)).map((row) => ({
    ...{
      id: row.id,
      kind: row.kind,
      topic: row.topic,
      state: row.state,
      messages: row.messages,
      orderNo: row.order_no,
      updatedAt: row.updated_at.toISOString(),
    },
  }))
  return { rows, next: null }
}

export async function readInvitations({ db }: Ctx, { userId }: Wanted): Promise<ReplyOf<Contract['customerInvitations']>> {
  const rows = (await relationLinesOf(db, userId)).map(({ user_id: id, name, role, way, created_at: at }) => ({
    userId: id,
    name,
    role,
    way,
    at: at.toISOString(),
  }))
  return { rows, next: null }
}
