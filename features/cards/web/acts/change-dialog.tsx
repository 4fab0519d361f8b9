import { ArrowRight } from 'lucide-react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Button } from '#ui/button.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { toast } from '#ui/layers/toast.ts'
import { cardTexts } from '../../texts.ts'
import { CardFace } from '../card-face.tsx'
import type { CardDialogProps } from '../card-dialog-props.ts'
import { cardsApi } from '../cards-api.ts'
import { refreshCards, useCardAmount } from '../use-cards.ts'
import { usePricedOrder } from './use-priced.ts'

/** Dialog to replace a card's number: both cards, what moves over, and what to do at the shops. */
export function ChangeDialog({ card, open, onClose }: CardDialogProps) {
  const t = useTexts(cardTexts)
  const price = useCardAmount().data?.riskChange
  const priced = usePricedOrder(card.id)
  const { run, isRunning, failure } = useSubmit()
  const isAsked = card.warnings.some(({ name }) => name === 'must_change')
  // A stopped card is replaced for a price; one frozen by its member, or not frozen at all, for free.
  const isForced = isAsked || (card.state === 'frozen' && card.frozenBy !== 'user')
  const submit = () =>
    void run(async () => {
      if (isForced) {
        onClose()
        return priced.pay('change')
      }
      await cardsApi.changeCard({ id: card.id })
      refreshCards({ money: true })
      toast.success(t('changeStarted'))
      onClose()
    })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('changeTitle')}
      description={t(isAsked ? 'changeAboutForced' : isForced ? 'changeAboutStopped' : 'changeAbout')}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button loading={isRunning || priced.busy} onClick={submit}>
            {isForced && price ? t('changeFor', { amount: displayUsd(price) }) : t('changeDo')}
          </Button>
        </>
      }
    >
      <div className="flex items-center gap-4 py-2">
        <div className="min-w-0 flex-1">
          <CardFace card={{ ...card, state: 'frozen' }} className="card-face-mini" />
          <p className="mt-1.5 text-center text-13 text-fg-3">{t('changeOld')}</p>
        </div>
        <ArrowRight size={22} strokeWidth={1.75} aria-hidden="true" className="mb-6 shrink-0 text-fg-3" />
        <div className="min-w-0 flex-1">
          <CardFace card={{ ...card, last4: '', expiry: '', state: 'opening' }} className="card-face-mini" />
          <p className="mt-1.5 text-center text-13 text-fg-3">{t('changeNew')}</p>
        </div>
      </div>
      <ol className="mt-3 mb-4 grid list-decimal gap-1.5 pl-5 text-14 text-fg-2">
        <li>{t('changeStep1')}</li>
        <li>{t('changeStep2', { amount: displayUsd(card.balance) })}</li>
        <li>{t('changeStep3')}</li>
      </ol>
      {failure ? (
        <AlertBox kind="error" className="mb-4">
          {isApiError(failure) ? failure.message : t('notDone')}
        </AlertBox>
      ) : null}
    </Dialog>
  )
}
