import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { pick } from '#platform/shared/pick.ts'
import { findContact } from '#features/account/server/door.ts'
import { CARD_FIELDS } from '#features/cards/contract-card.ts'
import { selectCustomerCards } from '#features/cards/server/door.ts'
import { KEY_FIELDS } from '#features/gateway/contract.ts'
import { selectCustomerKeys } from '#features/gateway/server/door.ts'
import { listBalanceEntries } from '#features/wallet/server/door.ts'
import type { customersContract } from '../../contract-customers.console.ts'
import { listCustomerCalls, listMailLines, listRelationLines, listSessionLines, listConversationLines, listTimeline } from './data-customer-tabs.ts'
import { parseInstantCursor, parseNumberCursor, buildKeysetPage } from './keyset.ts'

type Contract = typeof customersContract
type TabInput = InputOf<Contract['customerLedger']>
const toIso = (at: Date | null) => at?.toISOString() ?? null

export async function readTimeline(
  { db }: Ctx,
  { userId, kind, after, limit }: InputOf<Contract['customerTimeline']>,
): Promise<ReplyOf<Contract['customerTimeline']>> {
  const rows = await listTimeline(db, { userId, after: parseInstantCursor(after), limit: limit + 1 }, kind)
  return buildKeysetPage(rows, limit, {
    view: ({ id, at, kind: of, what, actor, note, nano, target }) => ({
      id,
      at: at.toISOString(),
      kind: of,
      what,
      actor,
      note,
      amount: nano === null ? null : formatUsd(nano),
      target,
    }),
    place: (row) => `${row.us} ${row.id}`,
  })
}

export async function readLedger({ db }: Ctx, { userId, after, limit }: TabInput): Promise<ReplyOf<Contract['customerLedger']>> {
  const before = parseNumberCursor(after)
  const rows = await listBalanceEntries(db, { userId, limit: limit + 1, ...(before === undefined ? {} : { before }) })
  return buildKeysetPage(rows, limit, {
    view: ({ seq, kind, ref, amount, after: rest, at }) => ({
      seq: String(seq),
      kind,
      ref,
      amount: formatUsd(amount),
      after: formatUsd(rest),
      at: at.toISOString(),
    }),
    place: (row) => String(row.seq),
  })
}

export async function readCalls({ db }: Ctx, { userId, after, limit }: TabInput): Promise<ReplyOf<Contract['customerCalls']>> {
  const rows = await listCustomerCalls(db, { userId, after: parseInstantCursor(after), limit: limit + 1 })
  return buildKeysetPage(rows, limit, {
    view: (row) => ({
      ...{
        callId: row.callId,
        at: row.startedAt.toISOString(),
        ...pick(row, 'keyId', 'model', 'upstream', 'outcome', 'status'),
      },
      ...{
        inputTokens: String(row.inputTokens),
        outputTokens: String(row.outputTokens),
        ms: row.totalMs,
        amount: formatUsd(row.amount),
        requestId: row.requestId,
      },
    }),
    place: (row) => `${row.us} ${row.callId}`,
  })
}

export async function readKeys({ db }: Ctx, { userId }: TabInput): Promise<ReplyOf<Contract['customerKeys']>> {
  const rows = (await selectCustomerKeys(db, userId)).map((row) => ({
    ...pick(row, 'keyId', ...KEY_FIELDS, 'last4', 'state', 'lastModel'),
    ...{ createdAt: row.createdAt.toISOString(), lastUsedAt: toIso(row.lastUsedAt) },
    paused: row.state === 'paused' ? { at: row.pausedAt!.toISOString(), by: row.pausedBy!.replace(/^operator:/, ''), reason: row.pausedReason! } : null,
  }))
  return { rows, next: null }
}

export async function readSessions({ db }: Ctx, { userId }: TabInput): Promise<ReplyOf<Contract['customerSessions']>> {
  const rows = (await listSessionLines(db, userId)).map((row) => ({
    ...{ id: row.id, ip: row.ip, userAgent: row.userAgent, createdAt: row.createdAt.toISOString() },
    ...{ lastSeenAt: row.lastSeenAt.toISOString(), expiresAt: row.expiresAt.toISOString() },
  }))
  return { rows, next: null }
}

export async function readCards({ db }: Ctx, { userId }: TabInput): Promise<ReplyOf<Contract['customerCards']>> {
  const rows = (await selectCustomerCards(db, userId)).map((row) => ({
    ...pick(row, 'id', ...CARD_FIELDS, 'refusals'),
    ...{ recharged: formatUsd(row.totalRecharged), spent: formatUsd(row.totalSpent), createdAt: row.createdAt.toISOString() },
  }))
  return { rows, next: null }
}

export async function readNotices({ db }: Ctx, { userId, after, limit }: TabInput): Promise<ReplyOf<Contract['customerNotices']>> {
  const email = (await findContact(db, userId))?.email
  if (!email) return { rows: [], next: null }
  const rows = await listMailLines(db, { userId, after: parseInstantCursor(after), limit: limit + 1 }, email)
  return buildKeysetPage(rows, limit, {
    view: ({ id, template, state, problem, createdAt: at, endedAt: ended, isKept }) => ({
      ...{ id, template, state, problem, isKept },
      ...{ createdAt: at.toISOString(), endedAt: toIso(ended) },
    }),
    place: (row) => `${row.us} ${row.id}`,
  })
}

export async function readConversations({ db }: Ctx, { userId }: TabInput): Promise<ReplyOf<Contract['customerConversations']>> {
  const rows = (await listConversationLines(db, userId)).map((row) => ({
    ...{
      ...pick(row, 'id', 'kind', 'topic', 'state', 'messages', 'orderNo'),
      updatedAt: row.updatedAt.toISOString(),
    },
  }))
  return { rows, next: null }
}

export async function readInvitations({ db }: Ctx, { userId }: TabInput): Promise<ReplyOf<Contract['customerInvitations']>> {
  const rows = (await listRelationLines(db, userId)).map(({ userId: id, name, role, way, createdAt: at }) => ({
    userId: id,
    name,
    role,
    way,
    at: at.toISOString(),
  }))
  return { rows, next: null }
}
