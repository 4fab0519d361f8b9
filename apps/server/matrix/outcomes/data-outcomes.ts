import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'

// Rows that the outcome suite reads, and updates that simulate the passing of time.

export const backdateWait = (owner: Sql, subject: string, hours: number) =>
  owner.query(`update supplier_waits set since = since - make_interval(hours => $2) where subject = $1`, [subject, hours])

/** Counts a check as the job for due tasks does. */
export const incrementChecks = (owner: Sql, taskId: string) => owner.query('update services_tasks set checks = checks + 1 where id = $1', [taskId])

export const backdateTask = (owner: Sql, taskId: string, hours: number) =>
  owner.query(
    `update services_tasks set deadline_at = deadline_at - make_interval(hours => $2), entered_at = entered_at - make_interval(hours => $2) where id = $1`,
    [taskId, hours],
  )

export const backdateCard = (owner: Sql, cardId: string, hours: number) =>
  owner.query('update cards_cards set asked_at = asked_at - make_interval(hours => $2) where id = $1', [cardId, hours])

export const selectUserCard = async (sql: Sql, userId: string) =>
  first(await sql.query<{ id: string; orderNo: string }>('select id, order_no from cards_cards where user_id = $1', [userId]))!

export const selectUpgradeTaskId = async (sql: Sql, id: string) =>
  first(await sql.query<{ taskId: string }>('select task_id from upgrade_orders where id = $1', [id]))!.taskId

export const selectRefundState = async (sql: Sql, refundNo: string) =>
  first(
    await sql.query<{ id: bigint; state: string; failure: string | null }>('select id, state, failure from payments_refunds where refund_no = $1', [refundNo]),
  )!
/** A holder without a face check yet. */
export const clearFaceCheck = (sql: Sql, userId: string) =>
  sql.query(`update identity_people set status = 'saved', face_passed_at = null where user_id = $1`, [userId])

export const selectCheckStates = async (sql: Sql, userId: string) =>
  (await sql.query<{ state: string }>('select state from identity_checks where user_id = $1 order by seq', [userId])).map(({ state }) => state)

export const selectIdentityFile = async (sql: Sql, id: string) =>
  first(await sql.query<{ state: string; reads: number }>('select state, reads from identity_files where id = $1', [id]))!

const TABLES = { mail: 'notices_mails', sms: 'notices_sms' } as const
export type NoticeKind = keyof typeof TABLES

export const selectOutcomeNotice = async (sql: Sql, kind: NoticeKind, recipient: string) =>
  first(await sql.query<{ id: string; state: string }>(`select id, state from ${TABLES[kind]} where recipient = $1`, [recipient]))!

/** Ends the pause before the next attempt. */
export const releaseNoticeClaim = (owner: Sql, kind: NoticeKind, id: string) =>
  owner.query(`update ${TABLES[kind]} set claimed_until = null where id = $1`, [id])
