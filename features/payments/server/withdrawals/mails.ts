import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { formatMinor, subtractNano, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { findContact } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { formatMovementLine } from '#features/wallet/contract-movements.ts'
import { fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { PAY_METHODS } from '../../contract-methods.ts'
import { paymentTexts } from '../../texts.ts'
import { paymentMailTexts } from '../mail-texts.ts'
import type { WithdrawalRow } from '../set-aside/data.ts'

const TEMPLATES = {
  requested: {
    name: 'payments.withdraw-requested',
    texts: paymentMailTexts,
    subject: 'mail_withdraw_requested_subject',
    body: 'mail_withdraw_requested_body',
    repeatable: true,
  },
  sourceOnly: {
    name: 'payments.withdraw-back',
    texts: paymentMailTexts,
    subject: 'mail_withdraw_requested_subject',
    body: 'mail_withdraw_back_body',
    repeatable: true,
  },
  changed: {
    name: 'payments.withdraw-changed',
    texts: paymentMailTexts,
    subject: 'mail_withdraw_changed_subject',
    body: 'mail_withdraw_changed_body',
    repeatable: true,
  },
  paid: { name: 'payments.withdraw-paid', texts: paymentMailTexts, subject: 'mail_withdraw_paid_subject', body: 'mail_withdraw_paid_body', repeatable: true },
  rewardFailed: {
    name: 'payments.withdraw-reward-failed',
    texts: paymentMailTexts,
    subject: 'mail_withdraw_failed_subject',
    body: 'mail_withdraw_reward_failed_body',
    repeatable: true,
  },
  owed: { name: 'payments.withdraw-owed', texts: paymentMailTexts, subject: 'mail_withdraw_owed_subject', body: 'mail_withdraw_owed_body', repeatable: true },
  failed: {
    name: 'payments.withdraw-failed',
    texts: paymentMailTexts,
    subject: 'mail_withdraw_failed_subject',
    body: 'mail_withdraw_failed_body',
    repeatable: true,
  },
} as const

function chooseFailedTemplate({ source, takenNano: taken }: WithdrawalRow) {
  return source === 'reward' ? TEMPLATES.rewardFailed : taken > 0n ? TEMPLATES.owed : TEMPLATES.failed
}

/** Line with the mail's ledger movement, in the words of the funds page; empty before money has moved. */
function formatMovement(lang: Lang, { source, shown, sentNano: sent }: WithdrawalRow, event: Exclude<keyof typeof TEMPLATES, 'rewardFailed' | 'owed'>): string {
  if ((event !== 'paid' && event !== 'failed') || sent === null) return ''
  const method = paymentTexts[lang][PAY_METHODS.alipay.text]
  const account = `${method} ${shown.alipay}`.trim()
  const line =
    event === 'paid'
      ? formatMovementLine(lang, source === 'reward' ? 'invitation.withdrawn' : 'withdraw.sent', { subject: method, to: account })
      : formatMovementLine(lang, source === 'reward' ? 'invitation.returned' : 'withdraw.returned', { from: account })
  return `\n\n${fill(paymentMailTexts[lang].mail_moved, { line })}`
}

/** Sends one mail per withdrawal and event to the verified mailbox. Users cannot opt out. */
export async function mailWithdrawalEvent(
  deps: Deps,
  tx: Tx,
  { row, event }: { readonly row: WithdrawalRow; readonly event: Exclude<keyof typeof TEMPLATES, 'rewardFailed' | 'owed'> },
): Promise<void> {
  const contact = await findContact(tx, row.userId)
  if (!contact?.email) return
  await sendMail(deps, tx, {
    to: contact.email,
    template: event === 'failed' ? chooseFailedTemplate(row) : TEMPLATES[event],
    lang: contact.lang,
    dedupe: `withdraw:${row.withdrawalNo}:${event}`,
    values: {
      // Once it has left, the mails state the sum of the transfer, or of the failed rest: refunds have separate mails.
      amount: formatUsd(row.sentNano ?? (event === 'failed' ? subtractNano(subtractNano(row.amountNano, row.channelNano), row.takenNano) : row.amountNano)),
      asked: formatUsd(row.amountNano),
      taken: formatUsd(row.takenNano),
      payAmount: formatMinor(row.sentMinor ?? row.payMinor),
      alipay: row.shown.alipay,
      name: row.shown.name,
      moved: formatMovement(contact.lang, row, event),
      withdrawalNo: row.withdrawalNo,
      until: row.payAfter ? toShanghaiTime(row.payAfter) : '',
      link: `${deps.siteUrl()}/withdrawals/${row.withdrawalNo}`,
    },
  })
}
