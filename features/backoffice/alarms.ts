/** In ascending order: `minor` can wait until the morning, `critical` is losing money or customers now. */
export const SEVERITIES = ['minor', 'serious', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]
export const atLeast = (severity: Severity, least: Severity): boolean => SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least)

export const WAY_KINDS = ['mail', 'sms', 'webhook'] as const
export type WayKind = (typeof WAY_KINDS)[number]

interface Known {
  readonly severity: Severity
  /** File name in docs/runbooks. */
  readonly runbook: string
}
const minor = (runbook: string): Known => ({ severity: 'minor', runbook })
const serious = (runbook: string): Known => ({ severity: 'serious', runbook })
const critical = (runbook: string): Known => ({ severity: 'critical', runbook })

/**
 * Every alarm: conditions found by the periodic check, and events counted with `countEvent`. Each has a name in `messages/alarms.*.json` and a
 * runbook; a test checks both, and that every event is listed.
 */
export const ALARMS: Readonly<Record<string, Known>> = {
  // conditions
  'database.connections': serious('system'),
  'outbox.stuck': critical('system'),
  'job.failed': serious('system'),
  'wallet.verify': critical('ledger'),
  'gateway.node_dead': critical('gateway-journal'),
  'gateway.dead_letters': serious('gateway-dead-letter'),
  'gateway.late_figure': serious('gateway-journal'),
  'gateway.provisional': serious('gateway-journal'),
  'gateway.book_drift': serious('gateway-books'),
  'gateway.margin_negative': serious('gateway-books'),
  'gateway.report_unread': minor('gateway-books'),
  'gateway.ledger_drift': critical('gateway-books'),
  'balance.low': serious('balances'),
  'balance.unknown': minor('balances'),
  'certificate.expires': serious('certificates'),
  'certificate.unknown': minor('certificates'),
  'alarms.webhook_failed': serious('system'),
  // events
  'database.unwritable': critical('system'),
  'worker.silent': critical('system'),
  'gateway.dead_letter': serious('gateway-dead-letter'),
  'gateway.journal_retry': critical('gateway-journal'),
  'gateway.sweep_failed': serious('gateway-journal'),
  'gateway.node_returned': serious('gateway-journal'),
  'gateway.stray_calls': serious('gateway-journal'),
  'gateway.quota_retry': serious('gateway-limits'),
  'gateway.redis_away': serious('gateway-limits'),
  'gateway.webhook_failed': minor('gateway-limits'),
  'gateway.stray_takes': minor('gateway-limits'),
  'gateway.usage_missing': minor('gateway-usage'),
  'gateway.usage_unknown': minor('gateway-usage'),
  'gateway.sums_differ': serious('gateway-sums'),
  'gateway.breaker_open': serious('gateway-upstreams'),
  'gateway.upstream_unusable': critical('gateway-upstreams'),
  'payments.amount_mismatch': serious('payments-mismatch'),
  'payments.notice_forged': serious('payments-forged-notice'),
  'payments.refund_failed': serious('payments-refund'),
  'payments.refund_stuck': serious('payments-refund'),
  'payments.refund_reversed': serious('payments-refund'),
  'payments.payout_held': serious('payments-refund'),
  'payments.payout_unknown': serious('payments-refund'),
  'payments.payout_vendor_gone': critical('payments-refund'),
  'payments.disputed': serious('payments-dispute'),
  'payments.evidence_unknown': serious('payments-dispute'),
  'payments.statement_missing': serious('payments-statement'),
  'payments.statement_extra': serious('payments-statement'),
  'payments.statement_amount': serious('payments-statement'),
  'payments.statement_duplicate': serious('payments-statement'),
  'payments.statement_fee': minor('payments-statement'),
  'payments.statement_currency': serious('payments-statement'),
  'payments.statement_cross_day': minor('payments-statement'),
  'payments.statement_timezone': minor('payments-statement'),
  'mail_expired': serious('mail'),
  'mail_attempt_failed': minor('mail'),
  'sms_carrier_misconfigured': serious('sms'),
  'sms_attempt_failed': minor('sms'),
  'sms_unknown': minor('sms'),
  'sms_expired': minor('sms'),
  'sms_budget_used_up': critical('sms'),
  'sms_budget_nearly_used_up': serious('sms'),
  'captcha_down': serious('guessing'),
  'login_locked': minor('guessing'),
  'login_failures_high': serious('guessing'),
  'code_burnt': minor('guessing'),
  'codes_spent': minor('guessing'),
  'pay_password_locked': minor('guessing'),
  'cards.issuer_gone': critical('cards'),
  'cards.issuer_stopped': critical('cards'),
  'cards.book_differs': critical('cards'),
  'cards.house_limit': serious('cards'),
  'cards.notice_forged': serious('cards'),
  'cards.notice_failed': serious('cards'),
  'cards.card_failed': serious('cards'),
  'cards.load_unknown': serious('cards'),
  'cards.no_answer': serious('cards'),
  'cards.open_unknown': serious('cards'),
  'cards.reveal_failed': minor('cards'),
  'cards.state_unknown': minor('cards'),
  'cards.unknown_card': serious('cards'),
  'flex.supplier_away': serious('services'),
  'numbers.look_failed': minor('services'),
  'numbers.notice_forged': serious('services'),
  'numbers.notice_unknown': minor('services'),
  'numbers.stranger': minor('services'),
  'remote.browser_quit': minor('remote'),
  'remote.cannot_start': serious('remote'),
  'remote.too_heavy': minor('remote'),
  'services.task_failed': serious('services'),
  'services.unknown': minor('services'),
  'services.supplier_unknown': serious('services'),
  'services.waits_too_long': serious('services'),
  'suppliers.unknown_too_long': serious('services'),
  'cards.open_rejected': minor('cards'),
  'cards.address_unknown': minor('cards'),
}

/** Events that the periodic database check also reports, with more detail, so the event counter does not raise them. */
export const BY_LOOK: ReadonlySet<string> = new Set([
  ...['gateway.book_drift', 'gateway.margin_negative', 'gateway.report_unread', 'gateway.ledger_drift'],
  // the check adds the amounts from the correction tables
  ...['gateway.late_figure', 'gateway.provisional'],
])

/** Events counted only for graphs, with nothing for an operator to fix: task steps, captcha refusals, browser reports. */
const NO_ALARM =
  /^(?:services\.(?:draft|paying|waiting|working|using|done|failed|cancelled|refunded|ended)|captcha_(?!down)\w+|site\.\w+|google_refused|risk_(?:payer_)?blocked|sms_refused)$/
export const isNoAlarm = (event: string): boolean => NO_ALARM.test(event)
