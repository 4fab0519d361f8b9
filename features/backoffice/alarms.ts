/** Severities in ascending order: `minor` can wait until the morning, `critical` is losing money or customers now. */
export const ALARM_SEVERITIES = ['minor', 'serious', 'critical'] as const
export type AlarmSeverity = (typeof ALARM_SEVERITIES)[number]
export const isAtLeastSeverity = (severity: AlarmSeverity, least: AlarmSeverity): boolean =>
  ALARM_SEVERITIES.indexOf(severity) >= ALARM_SEVERITIES.indexOf(least)

export const ALARM_ROUTE_KINDS = ['mail', 'sms', 'webhook'] as const
export type AlarmRouteKind = (typeof ALARM_ROUTE_KINDS)[number]

interface KnownAlarm {
  readonly severity: AlarmSeverity
  /** File name in docs/runbooks. */
  readonly runbook: string
}
const minorAlarm = (runbook: string): KnownAlarm => ({ severity: 'minor', runbook })
const seriousAlarm = (runbook: string): KnownAlarm => ({ severity: 'serious', runbook })
const criticalAlarm = (runbook: string): KnownAlarm => ({ severity: 'critical', runbook })

/**
 * Every alarm: conditions found by the periodic check, and events counted with `countEvent`. Each has a name in `messages/alarms.*.json` and a
 * runbook; a test checks both, and that every event is listed.
 */
export const ALARMS: Readonly<Record<string, KnownAlarm>> = {
  // conditions
  'database.connections': seriousAlarm('system'),
  'outbox.stuck': criticalAlarm('system'),
  'job.failed': seriousAlarm('system'),
  'wallet.verify': criticalAlarm('ledger'),
  'gateway.node_dead': criticalAlarm('gateway-journal'),
  'gateway.dead_letters': seriousAlarm('gateway-dead-letter'),
  'gateway.late_figure': seriousAlarm('gateway-journal'),
  'gateway.provisional': seriousAlarm('gateway-journal'),
  'gateway.book_drift': seriousAlarm('gateway-books'),
  'gateway.margin_negative': seriousAlarm('gateway-books'),
  'gateway.report_unread': minorAlarm('gateway-books'),
  'gateway.ledger_drift': criticalAlarm('gateway-books'),
  'balance.low': seriousAlarm('balances'),
  'balance.unknown': minorAlarm('balances'),
  'certificate.expires': seriousAlarm('certificates'),
  'certificate.unknown': minorAlarm('certificates'),
  'alarms.webhook_failed': seriousAlarm('system'),
  // events
  'database.unwritable': criticalAlarm('system'),
  'worker.silent': criticalAlarm('system'),
  'gateway.dead_letter': seriousAlarm('gateway-dead-letter'),
  'gateway.journal_retry': criticalAlarm('gateway-journal'),
  'gateway.sweep_failed': seriousAlarm('gateway-journal'),
  'gateway.node_returned': seriousAlarm('gateway-journal'),
  'gateway.stray_calls': seriousAlarm('gateway-journal'),
  'gateway.quota_retry': seriousAlarm('gateway-limits'),
  'gateway.redis_away': seriousAlarm('gateway-limits'),
  'gateway.webhook_failed': minorAlarm('gateway-limits'),
  'gateway.stray_takes': minorAlarm('gateway-limits'),
  'gateway.usage_missing': minorAlarm('gateway-usage'),
  'gateway.usage_unknown': minorAlarm('gateway-usage'),
  'gateway.sums_differ': seriousAlarm('gateway-sums'),
  'gateway.breaker_open': seriousAlarm('gateway-upstreams'),
  'gateway.upstream_unusable': criticalAlarm('gateway-upstreams'),
  'payments.amount_mismatch': seriousAlarm('payments-mismatch'),
  'payments.notice_forged': seriousAlarm('payments-forged-notice'),
  'payments.refund_failed': seriousAlarm('payments-refund'),
  'payments.refund_stuck': seriousAlarm('payments-refund'),
  'payments.refund_reversed': seriousAlarm('payments-refund'),
  'payments.payout_held': seriousAlarm('payments-refund'),
  'payments.payout_unknown': seriousAlarm('payments-refund'),
  'payments.payout_vendor_gone': criticalAlarm('payments-refund'),
  'payments.disputed': seriousAlarm('payments-dispute'),
  'payments.evidence_unknown': seriousAlarm('payments-dispute'),
  'payments.statement_missing': seriousAlarm('payments-statement'),
  'payments.statement_extra': seriousAlarm('payments-statement'),
  'payments.statement_amount': seriousAlarm('payments-statement'),
  'payments.statement_duplicate': seriousAlarm('payments-statement'),
  'payments.statement_fee': minorAlarm('payments-statement'),
  'payments.statement_currency': seriousAlarm('payments-statement'),
  'payments.statement_cross_day': minorAlarm('payments-statement'),
  'payments.statement_timezone': minorAlarm('payments-statement'),
  'mail_expired': seriousAlarm('mail'),
  'mail_attempt_failed': minorAlarm('mail'),
  'sms_carrier_misconfigured': seriousAlarm('sms'),
  'sms_attempt_failed': minorAlarm('sms'),
  'sms_unknown': minorAlarm('sms'),
  'sms_expired': minorAlarm('sms'),
  'sms_budget_used_up': criticalAlarm('sms'),
  'sms_budget_nearly_used_up': seriousAlarm('sms'),
  'captcha_down': seriousAlarm('guessing'),
  'login_locked': minorAlarm('guessing'),
  'login_failures_high': seriousAlarm('guessing'),
  'code_burnt': minorAlarm('guessing'),
  'codes_spent': minorAlarm('guessing'),
  'pay_password_locked': minorAlarm('guessing'),
  'cards.issuer_gone': criticalAlarm('cards'),
  'cards.issuer_stopped': criticalAlarm('cards'),
  'cards.book_differs': criticalAlarm('cards'),
  'cards.house_limit': seriousAlarm('cards'),
  'cards.notice_forged': seriousAlarm('cards'),
  'cards.notice_failed': seriousAlarm('cards'),
  'cards.card_failed': seriousAlarm('cards'),
  'cards.load_unknown': seriousAlarm('cards'),
  'cards.no_answer': seriousAlarm('cards'),
  'cards.open_unknown': seriousAlarm('cards'),
  'cards.reveal_failed': minorAlarm('cards'),
  'cards.state_unknown': minorAlarm('cards'),
  'cards.unknown_card': seriousAlarm('cards'),
  'flex.supplier_away': seriousAlarm('services'),
  'numbers.look_failed': minorAlarm('services'),
  'numbers.notice_forged': seriousAlarm('services'),
  'numbers.notice_unknown': minorAlarm('services'),
  'numbers.stranger': minorAlarm('services'),
  'remote.browser_quit': minorAlarm('remote'),
  'remote.cannot_start': seriousAlarm('remote'),
  'remote.too_heavy': minorAlarm('remote'),
  'services.task_failed': seriousAlarm('services'),
  'services.unknown': minorAlarm('services'),
  'services.supplier_unknown': seriousAlarm('services'),
  'services.waits_too_long': seriousAlarm('services'),
  'suppliers.unknown_too_long': seriousAlarm('services'),
  'cards.open_rejected': minorAlarm('cards'),
  'cards.address_unknown': minorAlarm('cards'),
}

/** Events that the periodic database check also reports, with more detail, so the event counter does not raise them. */
export const CONDITION_EVENTS: ReadonlySet<string> = new Set([
  ...['gateway.book_drift', 'gateway.margin_negative', 'gateway.report_unread', 'gateway.ledger_drift'],
  // The check adds the amounts from the correction tables
  ...['gateway.late_figure', 'gateway.provisional'],
])

/** Events counted only for graphs, with nothing for an operator to fix: task steps, captcha refusals, browser reports. */
const NO_ALARM =
  /^(?:services\.(?:draft|paying|waiting|working|using|done|failed|cancelled|refunded|ended)|captcha_(?!down)\w+|site\.\w+|google_refused|risk_(?:payer_)?blocked|sms_refused)$/
export const isNoAlarm = (event: string): boolean => NO_ALARM.test(event)
