import { subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayCny, Usd, displayUsd } from '#platform/web/money.tsx'
import { ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { paymentTexts } from '../../texts.ts'
import { withdrawTexts } from '../../texts-withdraw.ts'
import { LIVE_REFUNDS } from '../../words.ts'
import type { PayCurrency } from '../../contract-currencies.ts'
import type { RefundState } from '../../words.ts'
import { payDisplay } from '../pay/pay-money.tsx'
import { methodTextKey } from '../../contract-methods.ts'

interface Part {
  readonly orderNo: string
  readonly transactionType: number
  readonly amount: string
  readonly payAmount: string
  readonly payCurrency: PayCurrency
  /** Refund state, once the part has left. */
  readonly state?: RefundState
}
type Transfer = { readonly amount: string; readonly payAmount: string } | null
interface WaysOutProps {
  readonly amount: string
  readonly rate: string
  /** Sum in yuan if all of it is transferred; null while the amount is invalid. */
  readonly payAmount: string | null
  readonly parts?: readonly Part[] | undefined
  /** Planned ways, before any part has left. */
  readonly plan?: { readonly parts: readonly Part[]; readonly transfer: Transfer } | undefined
  /** The withdrawal failed: parts that did not arrive are struck through. */
  readonly dead?: boolean
  /** The figures are loading. */
  readonly waiting?: boolean
  readonly transfer?: Transfer | undefined
  /** Part of the amount that pays a debt instead of leaving. */
  readonly taken?: string | undefined
}

/** Lines of a withdrawal: the amount, and the ways it arrives. Each way shows a separate sum, because currencies are never added up. */
export function WaysOut({ amount, rate, payAmount, plan, waiting = false, dead = false, taken = '0', ...left }: WaysOutProps) {
  const t = useTexts(withdrawTexts)
  const p = useTexts(paymentTexts)
  const { parts = [], transfer } = !left.parts?.length && plan ? plan : left
  const isOneTransfer = parts.length === 0
  const whole = taken === '0' ? { amount, payAmount: payAmount ?? '0' } : (transfer ?? { amount: '0', payAmount: '0' })
  const isBack = dead && taken !== '0' && transfer === null
  return (
    <>
      <ReceiptRow label={t('line_withdraw')} value={<Usd value={amount} />} />
      <ReceiptRow label={t('line_no_fee')} value={displayUsd('0')} />
      {taken === '0' ? null : <ReceiptRow label={t('line_taken')} value={<Usd value={`-${taken}`} />} />}
      <ReceiptRule />
      {parts.map((part, index) => (
        <ReceiptRow
          key={`${part.orderNo}:${index}`}
          label={t('line_source', { method: p(methodTextKey(part.transactionType)) })}
          value={strikeThrough(payDisplay(part.payAmount, part.payCurrency), part.state !== undefined && !LIVE_REFUNDS.includes(part.state))}
          note={`${displayUsd(part.amount)} · ${part.orderNo}`}
        />
      ))}
      {transfer && !isOneTransfer ? (
        <ReceiptRow
          label={t('line_transfer')}
          value={strikeThrough(displayCny(transfer.payAmount), dead)}
          note={t('rate_note', { amount: displayUsd(transfer.amount), rate })}
        />
      ) : null}
      {isOneTransfer && isBack ? (
        <ReceiptRow strong label={t('line_back')} value={<Usd value={formatUsd(subtractNano(parseUsd(amount), parseUsd(taken)))} />} />
      ) : isOneTransfer ? (
        <ReceiptRow
          strong
          label={t('line_arrives')}
          value={waiting ? '…' : strikeThrough(displayCny(whole.payAmount), dead)}
          note={t('rate_note', { amount: displayUsd(whole.amount), rate })}
        />
      ) : (
        <p className="mt-2 text-12 text-fg-3">{t('arrives_note')}</p>
      )}
    </>
  )
}

const strikeThrough = (text: string, isStruck: boolean) => (isStruck ? <s className="text-fg-3">{text}</s> : text)
