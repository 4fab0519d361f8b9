import type { ChannelTools } from '../port.ts'
import type { Lang } from '#platform/shared/languages.ts'

/** The sandbox's own book of agreements. */
export interface Agreement {
  readonly token: string
  readonly agreementNo: string
  readonly method: number
  readonly lang: Lang
  readonly notifyUrl: string
  readonly returnUrl: string
  readonly state: 'open' | 'active' | 'refused' | 'ended'
  readonly lostTrade: string | null
  readonly label: string | null
  readonly expiresAt: Date
  readonly createdAt: Date
}
type Query = ChannelTools['query']

export async function insertAgreement(query: Query, row: Omit<Agreement, 'state' | 'label' | 'lostTrade'>): Promise<Agreement> {
  await query(
    `insert into payments_sandbox_agreements (token, agreement_no, method, lang, notify_url, return_url, expires_at, created_at)
    values ($1,$2,$3,$4,$5,$6,$7,$8) on conflict (agreement_no) do nothing`,
    [row.token, row.agreementNo, row.method, row.lang, row.notifyUrl, row.returnUrl, row.expiresAt, row.createdAt],
  )
  return (await agreementByNo(query, row.agreementNo))!
}

export const agreementByNo = async (query: Query, agreementNo: string) =>
  (await query<Agreement>('select * from payments_sandbox_agreements where agreement_no = $1', [agreementNo]))[0]

export const agreementByToken = async (query: Query, token: string) =>
  (await query<Agreement>('select * from payments_sandbox_agreements where token = $1', [token]))[0]

export const latestAgreements = (query: Query) => query<Agreement>('select * from payments_sandbox_agreements order by created_at desc limit 20')

/** False when it had left `from` already. */
export const moveAgreement = async (query: Query, token: string, from: Agreement['state'], to: Agreement['state'], label: string | null = null) =>
  (
    await query('update payments_sandbox_agreements set state = $3, label = coalesce($4, label) where token = $1 and state = $2 returning 1 as moved', [
      token,
      from,
      to,
      label,
    ])
  ).length > 0

/** True for the first call about this trade: it is lost on purpose. */
export const loseOnce = async (query: Query, token: string, tradeNo: string) =>
  (
    await query('update payments_sandbox_agreements set lost_trade = $2 where token = $1 and lost_trade is distinct from $2 returning 1 as lost', [
      token,
      tradeNo,
    ])
  ).length > 0

export interface DueAgreementNotice {
  readonly id: bigint
  readonly body: string
  readonly notifyUrl: string
}

export const queueAgreementNotice = (query: Query, notice: { noticeId: string; token: string; body: string; dueAt: Date }) =>
  query('insert into payments_sandbox_agreement_notices (notice_id, token, body, due_at) values ($1,$2,$3,$4)', [
    notice.noticeId,
    notice.token,
    notice.body,
    notice.dueAt,
  ])

/** As with trades: each due notice is pushed to its next try, so that a crash in between only repeats one. */
export const takeDueAgreementNotices = (query: Query, now: Date, scheduleSeconds: readonly number[]) =>
  query<DueAgreementNotice>(
    `with due as (select id from payments_sandbox_agreement_notices where done_at is null and due_at <= $1 and tries < $3 order by due_at limit 20 for update skip locked)
    update payments_sandbox_agreement_notices n set tries = n.tries + 1, due_at = $1::timestamptz + make_interval(secs => ($2::int[])[n.tries + 1])
    from due, payments_sandbox_agreements a where n.id = due.id and a.token = n.token returning n.id, n.body, a.notify_url`,
    [now, scheduleSeconds, scheduleSeconds.length],
  )

export const agreementNoticeDone = (query: Query, id: bigint, now: Date) =>
  query('update payments_sandbox_agreement_notices set done_at = $2 where id = $1', [id, now])
