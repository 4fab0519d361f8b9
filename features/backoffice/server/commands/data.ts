import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { CommandState, EffectsDifference, ApprovalLevel, CommandEffects } from '../../words.ts'
import type { BackofficeDecisionsRow } from '../tables.ts'

export interface CommandRow {
  readonly id: bigint
  readonly no: string
  readonly name: string
  readonly subject: string
  readonly input: Record<string, unknown>
  /** Encrypted values of the fields that are masked in `input`. */
  readonly inputSealed: Buffer | null
  readonly reasonCode: string
  readonly reason: string
  readonly link: string | null
  readonly expects: Buffer
  readonly preview: CommandEffects
  readonly level: Exclude<ApprovalLevel, 'forbidden'>
  readonly rulesVersion: number
  readonly needs: number
  readonly amountNano: bigint | null
  readonly via: 'session' | 'token' | 'breakGlass'
  readonly viaId: string
  readonly state: CommandState
  readonly askedBy: string
  readonly askedAt: Date
  readonly expiresAt: Date
  readonly endedAt: Date | null
  readonly result: CommandEffects['result'] | null
  readonly difference: EffectsDifference | null
  readonly undoOf: bigint | null
  readonly reviewedBy: string | null
  /** Selected only by the queries for lists and single commands. */
  readonly askedBack?: boolean
}

export type NewCommand = Pick<
  CommandRow,
  | 'no'
  | 'name'
  | 'subject'
  | 'input'
  | 'inputSealed'
  | 'reasonCode'
  | 'reason'
  | 'link'
  | 'level'
  | 'rulesVersion'
  | 'needs'
  | 'amountNano'
  | 'via'
  | 'viaId'
  | 'askedBy'
  | 'askedAt'
  | 'expiresAt'
  | 'undoOf'
>

/** Serializes the requests of an operator: parallel requests would all see an unused daily limit. */
export async function lockOperatorRequests(sql: Sql, operatorId: string): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('backoffice.ask:' || $1, 0))`, [operatorId])
}

const EMPTY_EFFECTS = { changes: [], mails: {}, news: [], rows: {}, result: {}, refusal: null }

/** Inserts a draft; undefined if another command for the subject is pending. */
export async function insertCommand(sql: Sql, made: NewCommand): Promise<CommandRow | undefined> {
  return first(
    await sql.query<CommandRow>(
      `insert into backoffice_commands (no, name, subject, input, reason_code, reason, link, expects, preview, level, rules_version, needs, amount_nano, via, via_id,
        asked_by, asked_at, expires_at, undo_of, input_sealed) values ($1,$2,$3,$4,$5,$6,$7,''::bytea,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19)
      on conflict (name, subject) where state in ('draft','waiting','approved') do nothing returning *`,
      [
        made.no,
        made.name,
        made.subject,
        JSON.stringify(made.input),
        made.reasonCode,
        made.reason,
        made.link,
        JSON.stringify(EMPTY_EFFECTS),
        made.level,
        made.rulesVersion,
        made.needs,
        made.amountNano,
        made.via,
        made.viaId,
        made.askedBy,
        made.askedAt,
        made.expiresAt,
        made.undoOf,
        made.inputSealed,
      ],
    ),
  )
}

export interface CommandMove {
  readonly expects?: Buffer
  readonly preview?: CommandEffects
  readonly result?: CommandEffects['result']
  readonly difference?: EffectsDifference
  readonly endedAt?: Date
}

/** Moves a command to a new state; `backoffice_command_edges` lists the allowed transitions. */
export async function moveCommand(
  sql: Sql,
  id: bigint,
  { state, move = {} }: { readonly state: CommandState; readonly move?: CommandMove },
): Promise<CommandRow> {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  const rows = await sql.query<CommandRow>(
    `update backoffice_commands set state = $2, expects = coalesce($3, expects), preview = coalesce($4, preview), result = coalesce($5, result),
      difference = coalesce($6, difference), ended_at = coalesce($7, ended_at) where id = $1 returning *`,
    [id, state, move.expects ?? null, json(move.preview), json(move.result), json(move.difference), move.endedAt ?? null],
  )
  return rows[0]!
}

/** SQL column: a waiting command has an unanswered question. */
const HAS_OPEN_QUESTION = `(c.state = 'waiting' and exists (select from backoffice_questions q where q.command_id = c.id
  and not exists (select from backoffice_answers a where a.question_id = q.id))) as asked_back`

export async function findCommand(sql: Sql, no: string): Promise<CommandRow | undefined> {
  return first(await sql.query<CommandRow>(`select c.*, ${HAS_OPEN_QUESTION} from backoffice_commands c where no = $1`, [no]))
}

export async function lockCommand(sql: Sql, no: string): Promise<CommandRow | undefined> {
  return first(await sql.query<CommandRow>('select * from backoffice_commands where no = $1 for update', [no]))
}

/** The pending command for a subject: draft, waiting or approved. */
export async function findPendingCommand(sql: Sql, name: string, subject: string): Promise<CommandRow | undefined> {
  return first(
    await sql.query<CommandRow>(`select * from backoffice_commands where name = $1 and subject = $2 and state in ('draft','waiting','approved')`, [
      name,
      subject,
    ]),
  )
}

/** Commands, newest first. */
export async function listCommands(
  sql: Sql,
  wanted: { state?: CommandState | undefined; unreviewed?: boolean | undefined; subject?: string | undefined; before?: bigint | undefined; limit: number },
): Promise<CommandRow[]> {
  return sql.query<CommandRow>(
    `select c.*, ${HAS_OPEN_QUESTION} from backoffice_commands c where ($1::text is null or state = $1) and ($2::text is null or subject = $2) and ($3::bigint is null or id < $3)
      and (not $4 or (via = 'breakGlass' and reviewed_by is null)) order by id desc limit $5`,
    [wanted.state ?? null, wanted.subject ?? null, wanted.before ?? null, wanted.unreviewed ?? false, wanted.limit],
  )
}

export type DecisionRow = Pick<BackofficeDecisionsRow, 'operatorId' | 'verdict' | 'reason' | 'at'>
export async function listCommandDecisions(sql: Sql, id: bigint): Promise<DecisionRow[]> {
  return sql.query<DecisionRow>('select operator_id, verdict, reason, at from backoffice_decisions where command_id = $1 order by at, operator_id', [id])
}

/** Stores a decision; false if this operator already decided. The command must be locked and waiting. */
export async function insertDecision(
  sql: Sql,
  id: bigint,
  { operatorId, verdict, reason }: { readonly operatorId: string; readonly verdict: 'approve' | 'refuse'; readonly reason: string },
): Promise<boolean> {
  const rows = await sql.query(
    'insert into backoffice_decisions (command_id, operator_id, verdict, reason) values ($1,$2,$3,$4) on conflict do nothing returning command_id',
    [id, operatorId, verdict, reason],
  )
  return rows.length === 1
}

export async function listCommandSteps(sql: Sql, id: bigint): Promise<{ state: CommandState; at: Date }[]> {
  return sql.query<{ state: CommandState; at: Date }>('select state, at from backoffice_command_steps where command_id = $1 order by id', [id])
}

/** Waiting and approved commands past their expiry. */
export async function listOverdueCommands(sql: Sql, now: Date): Promise<string[]> {
  return (
    await sql.query<{ no: string }>(`select no from backoffice_commands where state in ('waiting','approved') and expires_at <= $1 order by id limit 200`, [
      now,
    ])
  ).map((row) => row.no)
}

/** Claims waiting commands requested before `before` for which no reminder was sent. */
export async function claimReminders(sql: Sql, before: Date, now: Date): Promise<CommandRow[]> {
  return sql.query<CommandRow>(
    `update backoffice_commands set reminded_at = $2 where id in (select id from backoffice_commands where state = 'waiting' and asked_at <= $1 and reminded_at is null
      order by id limit 50 for update skip locked) returning *`,
    [before, now],
  )
}

export async function reviewCommand(sql: Sql, no: string, operatorId: string): Promise<boolean> {
  const rows = await sql.query(
    `update backoffice_commands set reviewed_by = $2 where no = $1 and via = 'breakGlass' and reviewed_by is null and asked_by <> $2 returning id`,
    [no, operatorId],
  )
  return rows.length === 1
}

/**
 * Rows written by this database session so far, by table. The counts include earlier transactions, so compare two readings. Reads single
 * columns of `pg_stat_xact_user_tables`: selecting all of its figures takes twice as long.
 */
export async function countWrittenRows(sql: Sql): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.query<{ name: string; n: bigint }>(
    `select relname::text as name, n from pg_class,
      lateral (select pg_stat_get_xact_tuples_inserted(oid) + pg_stat_get_xact_tuples_updated(oid) + pg_stat_get_xact_tuples_deleted(oid) as n) written
      where relkind = 'r' and relnamespace = 'public'::regnamespace and n > 0
        and relname not in ('audit_rows', 'audit_chain', 'outbox', 'idempotency_keys', 'settings_history')`,
    [],
    'written-so-far',
  )
  return new Map(rows.map(({ name, n }) => [name, Number(n)]))
}

/** Templates of the mails queued in this transaction. */
export async function listMailTemplates(sql: Sql, mailIds: readonly string[]): Promise<string[]> {
  return (await sql.query<{ template: string }>('select template from notices_mails where id = any($1) order by template', [mailIds])).map(
    (row) => row.template,
  )
}

/** Sets the lock timeout to 1 s for this transaction. */
export async function setShortLockTimeout(sql: Sql): Promise<void> {
  await sql.query(`set local lock_timeout = '1s'`)
}
