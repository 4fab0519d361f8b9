import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { formatMinor, parseMinor, parseUsd, computePartShare } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Usd, displayUsd } from '#platform/web/money.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import { isConvertedCurrency } from '../../contract-currencies.ts'
import type { CustomerOrderRow } from '../../contract-orders.ts'
import { pageTexts } from '../../texts-pages.ts'
import { cleanAmount, isTypable, normalizeAmount, findAmountProblem } from '../pay/amount.ts'
import { PaymentsNotice } from '../notice.tsx'
import { paymentTexts } from '../../texts.ts'
import { PayAmount } from '../pay/pay-money.tsx'
import { ordersApi } from '../pages-api.ts'
import { methodTextKey } from '../../contract-methods.ts'

const MIN = '0.01'
const REASON_MAX = 200

interface RefundDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly order: CustomerOrderRow
  /** Dollars that can be refunded now. */
  readonly most: string
  /** Dollars that must stay in the balance. */
  readonly keep: string
}

/** Refund dialog: shows the amount, the sum that arrives and its destination before the request is sent. */
export function RefundDialog({ open, onClose, order, most, keep }: RefundDialogProps) {
  const t = useTexts(pageTexts)
  return (
    <Dialog open={open} onClose={onClose} title={t('refund_title')} size="md">
      {open ? <RefundForm order={order} most={most} keep={keep} onDone={onClose} /> : null}
    </Dialog>
  )
}

function RefundForm({ order, most, keep, onDone }: Omit<RefundDialogProps, 'open' | 'onClose'> & { readonly onDone: () => void }) {
  const t = useTexts(pageTexts)
  const p = useTexts(paymentTexts)
  const cache = useQueryClient()
  const bounds = { min: MIN, max: wholeCentsOf(most) }
  const [typed, setTyped] = useState(bounds.max)
  const [left, setLeft] = useState(false)
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const amount = cleanAmount(typed)
  const problem = findAmountProblem(amount, bounds)
  const back =
    amount !== undefined && !problem ? formatMinor(computePartShare(parseMinor(order.payAmount), parseUsd(amount), parseUsd(order.total))) : undefined
  const leaves = problem || !amount ? '0' : amount
  const send = async () => {
    setLeft(true)
    if (amount === undefined || problem || busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await ordersApi.refund({ orderNo: order.orderNo, reason: reason.trim(), ...(amount === cleanAmount(bounds.max) ? {} : { amount }) })
      toast.success(t('refund_done'))
      onDone()
    } catch (error) {
      setFailure(isApiError(error) ? error.message : p('openFailed'))
    } finally {
      setBusy(false)
      void cache.invalidateQueries({ queryKey: ['payments'] })
      void cache.invalidateQueries({ queryKey: ['wallet'] })
    }
  }
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <TextField
        label={t('refund_amount')}
        inputMode="decimal"
        autoComplete="off"
        className="num"
        value={typed}
        disabled={busy}
        hint={t('refund_max', { max: displayUsd(bounds.max), keep: displayUsd(keep) })}
        error={left && problem ? t(problem, { min: displayUsd(MIN), max: displayUsd(bounds.max) }) : undefined}
        onChange={(event) => {
          const text = normalizeAmount(event.target.value)
          if (isTypable(text, bounds)) setTyped(text)
        }}
        onBlur={() => setLeft(true)}
      />
      <TextField
        label={t('refund_reason')}
        autoComplete="off"
        maxLength={REASON_MAX}
        value={reason}
        disabled={busy}
        onChange={(event) => setReason(event.target.value)}
      />
      <Slip order={order} leaves={leaves} back={back} />
      <div role="alert" className="empty:-mt-5">
        {failure ? <PaymentsNotice tone="danger">{failure}</PaymentsNotice> : null}
      </div>
      <Button type="submit" size="lg" block loading={busy} disabled={problem !== undefined}>
        {t('refund_send', { amount: displayUsd(leaves) })}
      </Button>
    </form>
  )
}

interface SlipProps {
  readonly order: CustomerOrderRow
  /** Dollars debited from the balance. */
  readonly leaves: string
  /** Refund in the currency of the payment; undefined while the amount is invalid. */
  readonly back: string | undefined
}

function Slip({ order, leaves, back }: SlipProps) {
  const t = useTexts(pageTexts)
  const p = useTexts(paymentTexts)
  return (
    <Receipt look="flat" label={t('slip')}>
      <ReceiptRow label={t('refund_line_leaves')} value={<Usd value={leaves} />} />
      <ReceiptRow label={t('refund_line_to')} value={<span className="font-sans">{p(methodTextKey(order.transactionType))}</span>} />
      <ReceiptRow label={t('refund_line_when')} value={<span className="font-sans whitespace-normal">{t('refund_when')}</span>} />
      <ReceiptRule />
      <ReceiptRow
        strong
        label={t('refund_line_back')}
        value={<PayAmount value={back ?? '0.00'} currency={order.payCurrency} />}
        {...(isConvertedCurrency(order.payCurrency) ? { note: t('refund_note', { rate: order.rate }) } : {})}
      />
    </Receipt>
  )
}

/** Rounds a refundable amount down to whole cents. "19.997312" -> "19.99". */
function wholeCentsOf(dollars: string): string {
  const [whole = '0', cents = ''] = dollars.split('.')
  return cents ? `${whole}.${cents.slice(0, 2)}` : whole
}
