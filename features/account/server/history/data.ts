import type { Row, Sql } from '#platform/server/database/db.ts'

export interface HistoryRow extends Row {
  readonly id: bigint
  readonly at: Date
  readonly actorKind: string
  readonly actorId: string
  readonly action: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A contact as masked in audit rows, and since when this user has it: earlier failures belong to another user. */
export interface HistoryContact {
  readonly target: string
  readonly since: Date
}

export interface HistoryQuery {
  readonly userId: string
  readonly ofUser: readonly string[]
  readonly byUser: readonly string[]
  readonly contacts: readonly HistoryContact[]
  /** Cursor: only rows older than this id. */
  readonly before: bigint
  readonly limit: number
}

const COLUMNS = 'a.id, a.at, a.actor_kind, a.actor_id, a.action, a.data'

/** Audit rows of one user, newest first: three index scans, each limited to the page size. */
export function listHistory(sql: Sql, { userId, ofUser, byUser, contacts, before, limit }: HistoryQuery): Promise<HistoryRow[]> {
  return sql.query<HistoryRow>(
    `select * from (
      (select ${COLUMNS} from audit_rows a where a.target = 'user:' || $1 and a.action = any ($2) and a.id < $5 order by a.id desc limit $6)
      union all
      (select ${COLUMNS} from audit_rows a where a.actor_kind = 'user' and a.actor_id = $1 and a.action = any ($3) and a.id < $5 order by a.id desc limit $6)
      union all
      (select ${COLUMNS} from audit_rows a join jsonb_to_recordset($4::jsonb) as c (target text, since timestamptz) on a.target = c.target and a.at >= c.since
        where a.action = 'account.login-failed' and a.id < $5 order by a.id desc limit $6)
    ) found order by id desc limit $6`,
    [userId, ofUser, byUser, JSON.stringify(contacts), before, limit],
  )
}

/** The user's e-mail and mobile, and since when. */
export function selectContactsSince(sql: Sql, userId: string): Promise<{ kind: 'email' | 'mobile'; subject: string; since: Date }[]> {
  return sql.query(
    `select kind, subject, coalesce(verified_at, created_at) as since from account_identities where user_id = $1 and kind in ('email', 'mobile')`,
    [userId],
  )
}
