import { useRef, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { requestPayPassword } from '#platform/web/state/request-pay-password.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { askNotice } from '#platform/web/state/notice.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { Button } from '#ui/button.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { EmptyState } from '#ui/error-state.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import type { CardRow, cardsContract } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import type { CardDialogProps } from '../card-dialog-props.ts'
import { cardsApi } from '../cards-api.ts'
import { refreshCards, updateCachedCard, useCardAmount } from '../use-cards.ts'
import { CardAmountField } from './amount-field.tsx'
import { parseCardAmount, computeMaxWithdrawal, findCardAmountProblem } from './figures.ts'
import { MoneyDone } from './money-done.tsx'

type WithdrawalReply = ReplyOf<typeof cardsContract.cardWithdrawal>
const MIN_AMOUNT = '0.01'
/** Errors that a top-up resolves. */
const DEBT_ERRORS: readonly string[] = ['CARD_IN_DEBT', 'DEBT_FIRST']

/** Dialog to withdraw from the card into the balance: the limit, the sum that stays, and where the money is afterwards. */
export function CardWithdrawDialog({ card, open, onClose }: CardDialogProps) {
  const t = useTexts(cardTexts)
  const [done, setDone] = useState<WithdrawalReply>()
  const turn = useRef(0)
  const was = useRef(false)
  if (open && !was.current) turn.current++
  was.current = open
  const close = () => {
    onClose()
    setDone(undefined)
  }
  return (
    <Dialog open={open} onClose={close} title={t('withdrawTitle', { last4: card.last4 })}>
      {done ? (
        <MoneyDone
          title={t(done.state === 'done' ? 'withdrawDone' : 'withdrawSent')}
          about={t(done.state === 'done' ? 'withdrawDoneAbout' : 'withdrawSentAbout')}
          stamp={done.state === 'done'}
          onClose={close}
        >
          <ReceiptRow label={t('lineOff')} value={displayUsd(done.amount)} />
          <ReceiptRow label={t('lineFee')} value={displayUsd('0')} />
          <ReceiptRule />
          <ReceiptRow strong label={t('lineToBalance')} value={displayUsd(done.amount)} />
        </MoneyDone>
      ) : (
        <Form key={turn.current} card={card} onDone={setDone} />
      )}
    </Dialog>
  )
}

function Form({ card, onDone }: { readonly card: CardRow; readonly onDone: (done: WithdrawalReply) => void }) {
  const t = useTexts(cardTexts)
  const keep = useCardAmount().data?.keep ?? '1'
  const max = computeMaxWithdrawal(card.available, keep)
  const [typed, setTyped] = useState('')
  const { run, isRunning, failure } = useSubmit()
  const amount = parseCardAmount(typed)
  const isRight = amount !== undefined && !findCardAmountProblem(amount, { min: MIN_AMOUNT, max })
  if (parseUsd(max) === 0n)
    return <EmptyState title={t('nothingOff')} body={t('nothingOffAbout', { keep: displayUsd(keep), available: displayUsd(card.available) })} />
  const send = () =>
    void run(async () => {
      const payPassword = await requestPayPassword()
      if (payPassword === undefined || amount === undefined) return
      const reply = await cardsApi.cardWithdrawal({ cardId: card.id, amount, payPassword })
      updateCachedCard(reply.card)
      refreshCards({ money: true })
      if (reply.state === 'failed') await askNotice({ kind: 'warning', title: t('withdrawFailed'), body: t('withdrawFailedAbout'), action: t('gotIt') })
      else onDone(reply)
    })
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (isRight) send()
      }}
    >
      <CardAmountField
        label={t('amount')}
        value={typed}
        onChange={setTyped}
        bounds={{ min: MIN_AMOUNT, max }}
        disabled={isRunning}
        aside={
          <button type="button" className="link text-13" onClick={() => setTyped(max)}>
            {t('takeAll', { amount: displayUsd(max) })}
          </button>
        }
      />
      <Receipt look="flat" label={t('slip')}>
        <ReceiptRow label={t('lineAvailable')} value={displayUsd(card.available)} />
        <ReceiptRow label={t('lineOff')} value={amount ? `−${displayUsd(amount)}` : displayUsd('0')} />
        <ReceiptRow label={t('lineFee')} value={displayUsd('0')} />
        <ReceiptRule />
        <ReceiptRow label={t('lineStays')} value={displayUsd(isRight ? formatUsd(subtractNano(parseUsd(card.available), parseUsd(amount))) : card.available)} />
        <ReceiptRow strong label={t('lineToBalance')} value={displayUsd(isRight ? amount : '0')} />
      </Receipt>
      <div role="alert" className="empty:-mt-5">
        {failure ? <AlertBox kind="error">{isApiError(failure) ? failure.message : t('notDone')}</AlertBox> : null}
      </div>
      {isApiError(failure) && failure.errorName !== undefined && DEBT_ERRORS.includes(failure.errorName) ? (
        <Button variant="secondary" block onClick={() => openDialog('recharge')}>
          {t('settleByTopUp')}
        </Button>
      ) : null}
      <div>
        <Button type="submit" size="lg" block loading={isRunning} disabled={!isRight}>
          {isRight ? t('withdrawFor', { amount: displayUsd(amount) }) : t('withdraw')}
        </Button>
        <p className="mt-2 text-center text-12 text-fg-3">{t('withdrawAbout', { keep: displayUsd(keep) })}</p>
      </div>
    </form>
  )
}
