import { Link, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { openSupport } from '#platform/web/state/support.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { onPaid } from '#platform/web/state/paid.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Stamp } from '#ui/stamp.tsx'
import { cardsApi } from '../cards-api.ts'
import { OPENING_STATUS } from '../../words.ts'
import type { CardType } from '../../words.ts'
import { OPEN_REASON_TEXTS } from '../card/open-reasons.ts'
import { cardTexts } from '../../texts.ts'
import { useCardAmount } from '../use-cards.ts'
import { parseWaitingOrder } from './extra-pay.ts'
import type { OpeningStepProps } from './first-steps.tsx'
import type { OpeningOffer } from './slip.tsx'
import { StepFrame } from './step-frame.tsx'
import { openingTexts } from './texts.ts'
import { CARDS_KIND_TEXT } from './state-texts.ts'

const TITLE_TEXT = { result_done: 'result_done_title', result_failed: 'result_failed_title', result: 'result_title' } as const
const ABOUT_TEXT = { result_done: 'result_done_about', result_failed: 'result_failed_about', result: 'result_about' } as const

interface PaymentProps extends OpeningStepProps {
  readonly type: CardType
  readonly price: OpeningOffer | undefined
  /** The last card has been opened, and a further one is being paid. */
  readonly isFurther: boolean
  readonly onPaidOnce: () => void
}

/** The last step: the total price, then the shared payment dialog. */
export function PaymentStep({ flow, type, price, isFurther, onBack, onPaidOnce }: PaymentProps) {
  const t = useTexts(openingTexts)
  const c = useTexts(cardTexts)
  const waiting = parseWaitingOrder(useSearch({ strict: false }))
  const { run, isRunning, failure } = useSubmit()
  useEffect(() => onPaid(({ orderType }) => (orderType === 1 || orderType === 2 ? onPaidOnce() : undefined)), [onPaidOnce])
  if (!price) return <Skeleton className="h-72" />
  if (price.status === OPENING_STATUS.OPENING || price.status === OPENING_STATUS.SUBMITTED) return <Result price={price} />
  if ((price.status === OPENING_STATUS.OPENED && !isFurther) || price.status === OPENING_STATUS.FAILED) return <Result price={price} />
  const orderNo = isFurther ? null : price.orderNo
  const pay = () =>
    void run(async () => {
      if (orderNo) return openDialog('recharge', { orderNo })
      const { orderType, amount, service } = await cardsApi.cardCreate({ type })
      // pay the order that waited for the face check; if it has expired, order the same item again
      openDialog('recharge', { ask: { orderType, amount, service }, ...(waiting ? { orderNo: waiting } : {}) })
    }).catch(() => undefined)
  const { saved } = flow
  if (price.refused)
    return (
      <StepFrame
        title={t('refused_title')}
        lead={t('refused_about', { reason: c(OPEN_REASON_TEXTS[price.refused]) })}
        onBack={flow.status === 'passed' ? undefined : onBack}
      >
        <Button variant="secondary" onClick={() => openSupport()}>
          {t('support')}
        </Button>
      </StepFrame>
    )
  return (
    <StepFrame
      title={t('pay_title')}
      lead={t('pay_lead')}
      {...(price.pausedUntil === null
        ? { next: { text: orderNo ? t('pay_go_on') : t('pay_button', { amount: price.total }), onPress: pay, busy: isRunning } }
        : {})}
      onBack={flow.status === 'passed' ? undefined : onBack}
      failure={failure}
    >
      {price.pausedUntil === null ? null : (
        <AlertBox kind="warning" title={t('paused')} className="mb-5">
          {price.pausedUntil ? t('pausedUntil', { time: displayTime(price.pausedUntil) }) : t('pausedAbout')}
        </AlertBox>
      )}
      <div className="max-w-[460px]">
        <Receipt look="flat">
          {saved ? (
            <>
              <ReceiptRow label={t('pay_holder')} value={`${saved.lastName} ${saved.firstName}`} />
              <ReceiptRow label={t('pay_number')} value={saved.number} />
              <ReceiptRule />
            </>
          ) : null}
          <ReceiptRow label={t(price.orderType === 2 ? 'price_2' : 'price_1', { kind: t(CARDS_KIND_TEXT[type]) })} value={displayUsd(price.price)} />
          {price.deposit === '0' ? null : <ReceiptRow label={t('deposit')} value={displayUsd(price.deposit)} />}
          <ReceiptRule />
          <ReceiptRow strong label={t('due')} value={displayUsd(price.total)} />
        </Receipt>
      </div>
    </StepFrame>
  )
}

/** Result of the order: in progress, opened, failed. */
function Result({ price }: { readonly price: OpeningOffer }) {
  const t = useTexts(openingTexts)
  const min = useCardAmount().data?.firstMinimum ?? '25'
  const kind = price.status === OPENING_STATUS.OPENED ? 'result_done' : price.status === OPENING_STATUS.FAILED ? 'result_failed' : 'result'
  return (
    <StepFrame title={t(TITLE_TEXT[kind])} lead={t(ABOUT_TEXT[kind], { min })} aside={kind === 'result_failed' ? null : <Stamp text={t('paid')} />}>
      <div className="max-w-[460px]">
        <Receipt look="flat">
          <ReceiptRow label={t('paid')} value={displayUsd(price.paid?.total ?? price.total)} />
          {price.card?.holder ? <ReceiptRow label={t('pay_holder')} value={price.card.holder} /> : null}
        </Receipt>
      </div>
      <Link to="/card" className={getButtonClass('primary', 'lg', 'mt-6')}>
        {t('result_card')}
      </Link>
    </StepFrame>
  )
}
