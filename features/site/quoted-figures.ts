/** A figure of a setting that documents quote as `{{name}}`. */
export interface QuotedFigure {
  readonly setting: string
  /** Members of the setting's value, outermost first; none where the value is the figure. */
  readonly path?: readonly string[]
  /** Divides whole numbers: 60 shows seconds as minutes, 0.01 shows shares as percent. */
  readonly per?: number
}

const of = (setting: string, ...path: readonly string[]): QuotedFigure => ({ setting, path })

/** One place for the figures in terms, privacy policy and agreement: each comes from the setting that the server acts on. */
export const QUOTED = {
  top_up_fee: of('payments.fee_percent', 'default'),
  balance_keep: of('payments.withdraw_keep'),
  invoice_fee: of('payments.invoice_fee_percent'),
  invoice_fee_most: of('payments.invoice_fee_most'),
  dispute_fee: of('payments.dispute_fee'),
  approval_above: of('payments.withdraw_approval_above'),
  cool_off_hours: of('payments.withdraw_cool_off_hours'),
  card_open: of('cards.prices', 'openAccount'),
  card_more: of('cards.prices', 'multipleCard'),
  card_pro: of('cards.prices', 'proCard'),
  card_replace: of('cards.prices', 'riskChange'),
  card_thaw: of('cards.prices', 'unfreeze'),
  card_deposit: of('cards.prices', 'deposit'),
  card_activate: of('cards.prices', 'activation'),
  card_abroad: of('cards.fees', 'abroadPercent'),
  card_refund: of('cards.fees', 'refundPercent'),
  card_reversal: of('cards.fees', 'reversal'),
  card_angel: of('cards.angels', 'percent'),
  card_keep: of('cards.keep'),
  card_years: of('cards.years', 'standard'),
  card_pro_years: of('cards.years', 'pro'),
  member_years: of('cards.years', 'membership'),
  card_in_row: of('cards.closing', 'inRow'),
  card_rate: { setting: 'cards.closing', path: ['rate'], per: 0.01 },
  card_rate_from: of('cards.closing', 'from'),
  card_rate_days: of('cards.closing', 'days'),
  card_age: of('identity.minimumAge'),
  code_minutes: { setting: 'account.codeLiveSeconds', per: 60 },
  session_days: of('account.sessionDays'),
  session_most_days: of('account.sessionMaxDays'),
  exports_a_day: of('account.exportsPerDay'),
  notice_days: of('notices.keepDays'),
  resend_days: of('notices.resendDays'),
  photo_days: of('identity.photoDays'),
  mark_days: of('risk.markDays'),
  talk_days: of('support.keepDays'),
  visitor_talk_days: of('support.keepVisitorDays'),
  complaint_days: of('support.keepComplaintDays'),
  mailbox_days: of('mailbox.days'),
  retry_hours: of('registration.retry_hours'),
} as const satisfies Readonly<Record<string, QuotedFigure>>

export type QuotedName = keyof typeof QUOTED
export type QuotedFigures = Readonly<Partial<Record<QuotedName, string>>>

/** The figure's text in a setting's value; undefined if the value has no such member. */
export function figureIn(value: unknown, { path = [], per }: QuotedFigure): string | undefined {
  let figure = value
  for (const name of path) figure = typeof figure === 'object' && figure !== null ? (figure as Readonly<Record<string, unknown>>)[name] : undefined
  if (typeof figure === 'number') return String(per === undefined ? figure : Math.round((figure / per) * 100) / 100)
  return typeof figure === 'string' ? figure : undefined
}
