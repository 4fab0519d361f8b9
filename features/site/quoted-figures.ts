/** A figure of a setting that documents quote as `{{name}}`. */
export interface QuotedFigure {
  readonly setting: string
  /** Members of the setting's value, outermost first; none where the value is the figure. */
  readonly path?: readonly string[]
  /** Divides whole numbers: 60 shows seconds as minutes, 0.01 shows shares as percent. */
  readonly per?: number
}

const of = (setting: string, ...path: readonly string[]): QuotedFigure => ({ setting, path })

/** One place for the figures in terms, privacy policy, agreement and help: each comes from the setting that the server acts on. */
export const QUOTED = {
  top_up_fee: of('payments.fee_percent', 'default'),
  balance_keep: of('payments.withdraw_keep'),
  fee_provider: of('payments.fee_parts', 'provider'),
  fee_conversion: of('payments.fee_parts', 'conversion'),
  fee_check: of('payments.fee_parts', 'fraudCheck'),
  fee_own: of('payments.fee_parts', 'own'),
  top_up_min: of('payments.amounts', '10', 'min'),
  top_up_max: of('payments.amounts', '10', 'max'),
  order_minutes: of('payments.order_minutes'),
  auto_threshold: of('payments.auto_defaults', 'threshold'),
  auto_amount: of('payments.auto_defaults', 'amount'),
  auto_day: of('payments.auto_defaults', 'dayMost'),
  auto_month: of('payments.auto_defaults', 'monthMost'),
  auto_minutes: of('payments.auto_lead_minutes'),
  auto_a_day: of('payments.auto_per_day'),
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
  code_guesses: of('account.codeGuesses'),
  code_resend_seconds: of('account.codeResendSeconds'),
  codes_an_hour: of('account.codesPerTargetHour'),
  codes_a_day: of('account.codesPerTargetDay'),
  login_tries: of('account.loginsPerPair'),
  login_minutes: { setting: 'account.loginWindowSeconds', per: 60 },
  step_up_minutes: { setting: 'account.stepUpSeconds', per: 60 },
  pay_password_streak: of('account.payPasswordStreak'),
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
  remote_minutes: of('remote.minutes'),
  remote_most_minutes: of('remote.most_minutes'),
  remote_uses: of('remote.included', 'standard'),
  remote_pro_uses: of('remote.included', 'pro'),
  remote_ready_minutes: of('remote.ready_minutes'),
  remote_grace_minutes: { setting: 'remote.grace_seconds', per: 60 },
  calls_a_minute: of('gateway.account-requests-minute'),
  calls_at_once: of('gateway.account-at-once'),
  calls_at_risk: of('gateway.account-at-risk'),
  keys_most: of('gateway.keys-per-user'),
  open_orders: of('payments.max_open_orders'),
  upgrade_risk_hours: of('upgrade.limits', 'riskHours'),
  upgrade_days: of('upgrade.limits', 'days'),
  upgrade_accounts: of('upgrade.limits', 'accounts'),
  desk_from: of('services.hours', 'from'),
  desk_to: of('services.hours', 'to'),
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
