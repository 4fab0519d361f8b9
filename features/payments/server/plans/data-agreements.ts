import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { PaymentsAutoConsentsRow } from '../tables.ts'
import type { AutoPlanLimits } from './data-plans.ts'

export interface AgreementRow {
  readonly agreementNo: string
  readonly userId: string
  readonly channelType: number
  readonly transactionType: number
  readonly state: 'signing' | 'active' | 'lapsed' | 'ending' | 'ended'
  readonly sealed: Buffer | null
  readonly label: string | null
  readonly endedBy: 'user' | 'channel' | 'house' | null
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly signedAt: Date | null
  readonly endedAt: Date | null
  readonly checks: number
  readonly now: Date
}
export type EndedBy = NonNullable<AgreementRow['endedBy']>

export interface NewAgreement {
  readonly agreementNo: string
  readonly userId: string
  readonly channelType: number
  readonly transactionType: number
  readonly minutes: number
  readonly everyDays: number
}

export async function insertAgreement(tx: Tx, { agreementNo, userId, channelType, transactionType, minutes, everyDays }: NewAgreement): Promise<AgreementRow> {
  const rows = await tx.query<AgreementRow>(
    `insert into payments_agreements (agreement_no, user_id, channel_type, transaction_type, expires_at, next_check_at, every_days)
    values ($1,$2,$3,$4, now() + make_interval(mins => $5), now() + interval '1 minute', $6) returning *, now() as now`,
    [agreementNo, userId, channelType, transactionType, minutes, everyDays],
  )
  return rows[0]!
}

export interface Consent {
  readonly agreement: Pick<AgreementRow, 'agreementNo' | 'userId' | 'channelType' | 'transactionType'>
  readonly version: string
  readonly lang: Lang
  readonly limits: AutoPlanLimits
}

export async function insertConsent(tx: Tx, { agreement, version, lang, limits }: Consent): Promise<void> {
  await tx.query(
    `insert into payments_auto_consents (user_id, agreement_no, version, lang, channel_type, transaction_type, threshold_nano, amount_nano, day_most_nano, month_most_nano)
    values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)`,
    [
      agreement.userId,
      agreement.agreementNo,
      version,
      lang,
      agreement.channelType,
      agreement.transactionType,
      limits.threshold,
      limits.amount,
      limits.dayMost,
      limits.monthMost,
    ],
  )
}

export const countSignings = async (sql: Sql, userId: string) =>
  Number(
    (await sql.query<{ n: bigint }>(`select count(*) as n from payments_agreements where user_id = $1 and created_at > now() - interval '1 day'`, [userId]))[0]!
      .n,
  )

export const selectAgreement = async (sql: Sql, agreementNo: string) =>
  first(await sql.query<AgreementRow>('select *, clock_timestamp() as now from payments_agreements where agreement_no = $1', [agreementNo]))

/** Lock the user's plan first. */
export const lockAgreement = async (tx: Tx, agreementNo: string) =>
  (await tx.query<AgreementRow>('select *, clock_timestamp() as now from payments_agreements where agreement_no = $1 for update', [agreementNo]))[0]!

export const selectUserAgreements = (sql: Sql, userId: string) =>
  sql.query<AgreementRow>('select *, now() as now from payments_agreements where user_id = $1 order by created_at', [userId])

export async function storeSecret(tx: Tx, agreementNo: string, sealed: Buffer): Promise<void> {
  await tx.query(`update payments_agreements set sealed = $2 where agreement_no = $1 and state = 'signing'`, [agreementNo, sealed])
}

export async function signAgreement(tx: Tx, agreementNo: string, { sealed, label }: { readonly sealed: Buffer; readonly label: string }): Promise<void> {
  await tx.query(
    `update payments_agreements set state = 'active', sealed = $2, label = $3, signed_at = coalesce(signed_at, now()), next_check_at = now() + interval '1 day', checks = 0
    where agreement_no = $1`,
    [agreementNo, sealed, label],
  )
}

export async function lapseAgreement(tx: Tx, agreementNo: string): Promise<void> {
  await tx.query(`update payments_agreements set state = 'lapsed', next_check_at = null where agreement_no = $1`, [agreementNo])
}

/** Agreements to be revoked at the channel, made due at once for the job. */
export async function markAgreementEnding(tx: Tx, agreementNo: string, by: EndedBy): Promise<void> {
  await tx.query(
    `update payments_agreements set state = 'ending', ended_by = $2, next_check_at = now(), checks = 0 where agreement_no = $1 and state in ('signing','active','lapsed')`,
    [agreementNo, by],
  )
}

/** Ends an agreement and deletes the channel's identifiers. */
export async function endAgreement(tx: Tx, agreementNo: string, by: EndedBy): Promise<void> {
  await tx.query(
    `update payments_agreements set state = 'ended', sealed = null, ended_by = coalesce(ended_by, $2), ended_at = now(), next_check_at = null where agreement_no = $1`,
    [agreementNo, by],
  )
}

/** The label of a method is personal data: it is deleted with the account. */
export async function clearAgreementLabels(tx: Tx, userId: string): Promise<void> {
  await tx.query('update payments_agreements set label = null where user_id = $1', [userId])
}

/** Due agreements, each rescheduled so that a crash only delays them. */
export const takeDueAgreements = (sql: Sql, limit: number) =>
  sql.query<AgreementRow>(
    `with due as (select agreement_no from payments_agreements where next_check_at <= now() order by next_check_at limit $1 for update skip locked)
    update payments_agreements a set checks = a.checks + 1, next_check_at = now() + case a.state when 'active' then interval '1 day'
      else make_interval(secs => least(3600, 20 * 2 ^ least(a.checks, 8))::int) end
    from due where a.agreement_no = due.agreement_no returning a.*, now() as now`,
    [limit],
  )

/** True for the first notice of this id. */
export const insertAgreementNotice = async (
  tx: Tx,
  channelType: number,
  { noticeId, agreementNo }: { readonly noticeId: string; readonly agreementNo: string },
) =>
  (
    await tx.query(
      'insert into payments_agreement_notices (channel_type, notice_id, agreement_no) values ($1,$2,$3) on conflict do nothing returning 1 as new',
      [channelType, noticeId, agreementNo],
    )
  ).length === 1

export type ConsentRow = Omit<PaymentsAutoConsentsRow, 'id' | 'userId' | 'lang' | 'channelType' | 'transactionType'>
export const selectConsents = (sql: Sql, userId: string) =>
  sql.query<ConsentRow>('select * from payments_auto_consents where user_id = $1 order by id', [userId])
