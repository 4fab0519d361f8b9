import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { InvoiceDetails, MailChoices } from '../../contract-profile.ts'

export interface ProfileChange {
  readonly name?: string | null | undefined
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
  readonly language?: string | undefined
  readonly theme?: string | undefined
}

/** Updates the given fields; undefined keeps the value, null clears a name. */
export async function updateProfile(sql: Sql, userId: string, change: ProfileChange): Promise<void> {
  const name = (value: string | null | undefined) => (value === undefined ? null : (value ?? ''))
  await sql.query(
    `update account_users set name = coalesce($2, name), first_name = coalesce($3, first_name), last_name = coalesce($4, last_name),
      language = coalesce($5, language), theme = coalesce($6, theme) where id = $1`,
    [userId, name(change.name), name(change.firstName), name(change.lastName), change.language ?? null, change.theme ?? null],
  )
}

export interface PreferencesRow {
  readonly invoice: InvoiceDetails | null
  readonly mailChoices: Partial<MailChoices>
  readonly tips: readonly string[]
  readonly inviteCode: string | null
}

export async function findPreferences(sql: Sql, userId: string): Promise<PreferencesRow | undefined> {
  return first(await sql.query<PreferencesRow>('select invoice, mail_choices, tips, invite_code from account_users where id = $1', [userId]))
}

export async function updateInvoice(sql: Sql, userId: string, invoice: InvoiceDetails): Promise<void> {
  await sql.query('update account_users set invoice = $2 where id = $1', [userId, JSON.stringify(invoice)])
}

export async function updateChoices(sql: Sql, userId: string, choices: Partial<MailChoices>): Promise<Partial<MailChoices>> {
  const rows = await sql.query<{ mailChoices: Partial<MailChoices> }>(
    'update account_users set mail_choices = mail_choices || $2::jsonb where id = $1 returning mail_choices',
    [userId, JSON.stringify(choices)],
  )
  return rows[0]?.mailChoices ?? {}
}

/** Stores a shown tip; true only for the call that stores it. At most `max` tips are kept per user; further ones are dropped. */
export async function addTip(sql: Sql, userId: string, { tip, max }: { readonly tip: string; readonly max: number }): Promise<boolean> {
  const rows = await sql.query(
    'update account_users set tips = tips || $2::text where id = $1 and not tips @> array[$2::text] and cardinality(tips) < $3 returning 1',
    [userId, tip, max],
  )
  return rows.length === 1
}

/** The account's audit rows with addresses, newest first, at most 1,000, for the user's data export. Omits operators' reasons and notes. */
export function listAudit(sql: Sql, userId: string): Promise<{ at: Date; action: string; data: unknown }[]> {
  return sql.query(
    `select at, action, data - 'reason' as data from audit_rows where target = $1 and action not like 'customer.%' order by id desc limit 1000`,
    [`user:${userId}`],
  )
}
