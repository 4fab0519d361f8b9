/** A figure of a setting that documents quote as `{{name}}`. */
export interface QuotedFigure {
  readonly setting: string
  /** Path of members in the setting's value, outermost first; absent if the value itself is the figure. */
  readonly path?: readonly string[]
  /** Divides whole numbers: 60 shows seconds as minutes, 0.01 shows shares as percent. */
  readonly per?: number
}

const quoteSetting = (setting: string, ...path: readonly string[]): QuotedFigure => ({ setting, path })

/** Source of all figures in terms, privacy policy, agreement and help: each is read from the setting that the server uses. */
export const QUOTED = {
  top_up_fee: quoteSetting('payments.fee_percent', 'default'),
  balance_keep: quoteSetting('payments.withdraw_keep'),
  fee_provider: quoteSetting('payments.fee_parts', 'provider'),
  fee_conversion: quoteSetting('payments.fee_parts', 'conversion'),
  fee_check: quoteSetting('payments.fee_parts', 'fraudCheck'),
  fee_own: quoteSetting('payments.fee_parts', 'own'),
  top_up_min: quoteSetting('payments.amounts', '10', 'min'),
  top_up_max: quoteSetting('payments.amounts', '10', 'max'),
  order_minutes: quoteSetting('payments.order_minutes'),
  auto_threshold: quoteSetting('payments.auto_defaults', 'threshold'),
  auto_amount: quoteSetting('payments.auto_defaults', 'amount'),
  auto_day: quoteSetting('payments.auto_defaults', 'dayMost'),
  auto_month: quoteSetting('payments.auto_defaults', 'monthMost'),
  auto_minutes: quoteSetting('payments.auto_lead_minutes'),
  auto_a_day: quoteSetting('payments.auto_per_day'),
  invoice_fee: quoteSetting('payments.invoice_fee_percent'),
  invoice_fee_most: quoteSetting('payments.invoice_fee_most'),
  dispute_fee: quoteSetting('payments.dispute_fee'),
  approval_above: quoteSetting('payments.withdraw_approval_above'),
  cool_off_hours: quoteSetting('payments.withdraw_cool_off_hours'),
  card_open: quoteSetting('cards.prices', 'openAccount'),
  card_more: quoteSetting('cards.prices', 'multipleCard'),
  card_pro: quoteSetting('cards.prices', 'proCard'),
  card_replace: quoteSetting('cards.prices', 'riskChange'),
  card_thaw: quoteSetting('cards.prices', 'unfreeze'),
  card_deposit: quoteSetting('cards.prices', 'deposit'),
  card_activate: quoteSetting('cards.prices', 'activation'),
  card_abroad: quoteSetting('cards.fees', 'abroadPercent'),
  card_refund: quoteSetting('cards.fees', 'refundPercent'),
  card_reversal: quoteSetting('cards.fees', 'reversal'),
  card_angel: quoteSetting('cards.angels', 'percent'),
  card_keep: quoteSetting('cards.keep'),
  card_years: quoteSetting('cards.years', 'standard'),
  card_pro_years: quoteSetting('cards.years', 'pro'),
  member_years: quoteSetting('cards.years', 'membership'),
  card_in_row: quoteSetting('cards.closing', 'inRow'),
  card_rate: { setting: 'cards.closing', path: ['rate'], per: 0.01 },
  card_rate_from: quoteSetting('cards.closing', 'from'),
  card_rate_days: quoteSetting('cards.closing', 'days'),
  card_age: quoteSetting('identity.minimumAge'),
  code_minutes: { setting: 'account.codeLiveSeconds', per: 60 },
  code_guesses: quoteSetting('account.codeGuesses'),
  code_resend_seconds: quoteSetting('account.codeResendSeconds'),
  codes_an_hour: quoteSetting('account.codesPerTargetHour'),
  codes_a_day: quoteSetting('account.codesPerTargetDay'),
  login_tries: quoteSetting('account.loginsPerPair'),
  login_minutes: { setting: 'account.loginWindowSeconds', per: 60 },
  step_up_minutes: { setting: 'account.stepUpSeconds', per: 60 },
  pay_password_streak: quoteSetting('account.payPasswordStreak'),
  session_days: quoteSetting('account.sessionDays'),
  session_most_days: quoteSetting('account.sessionMaxDays'),
  exports_a_day: quoteSetting('account.exportsPerDay'),
  notice_days: quoteSetting('notices.keepDays'),
  resend_days: quoteSetting('notices.resendDays'),
  photo_days: quoteSetting('identity.photoDays'),
  mark_days: quoteSetting('risk.markDays'),
  talk_days: quoteSetting('support.keepDays'),
  visitor_talk_days: quoteSetting('support.keepVisitorDays'),
  complaint_days: quoteSetting('support.keepComplaintDays'),
  mailbox_days: quoteSetting('mailbox.days'),
  remote_minutes: quoteSetting('remote.minutes'),
  remote_most_minutes: quoteSetting('remote.most_minutes'),
  remote_uses: quoteSetting('remote.included', 'standard'),
  remote_pro_uses: quoteSetting('remote.included', 'pro'),
  remote_ready_minutes: quoteSetting('remote.ready_minutes'),
  remote_grace_minutes: { setting: 'remote.grace_seconds', per: 60 },
  calls_a_minute: quoteSetting('gateway.account-requests-minute'),
  calls_at_once: quoteSetting('gateway.account-at-once'),
  calls_at_risk: quoteSetting('gateway.account-at-risk'),
  keys_most: quoteSetting('gateway.keys-per-user'),
  open_orders: quoteSetting('payments.max_open_orders'),
  upgrade_risk_hours: quoteSetting('upgrade.limits', 'riskHours'),
  upgrade_days: quoteSetting('upgrade.limits', 'days'),
  upgrade_accounts: quoteSetting('upgrade.limits', 'accounts'),
  desk_from: quoteSetting('services.hours', 'from'),
  desk_to: quoteSetting('services.hours', 'to'),
  retry_hours: quoteSetting('registration.retry_hours'),
} as const satisfies Readonly<Record<string, QuotedFigure>>

export type QuotedName = keyof typeof QUOTED
export type QuotedFigures = Readonly<Partial<Record<QuotedName, string>>>

/** The figure's text in a setting's value; undefined if the value has no such member. */
export function readFigure(value: unknown, { path = [], per }: QuotedFigure): string | undefined {
  let figure = value
  for (const name of path) figure = typeof figure === 'object' && figure !== null ? (figure as Readonly<Record<string, unknown>>)[name] : undefined
  if (typeof figure === 'number') return String(per === undefined ? figure : Math.round((figure / per) * 100) / 100)
  return typeof figure === 'string' ? figure : undefined
}
