import { useId, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { requestPayPassword } from '#platform/web/state/request-pay-password.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { Button } from '#ui/button.tsx'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { toast } from '#ui/layers/toast.ts'
import { cardTexts } from '../../texts.ts'
import type { CardDialogProps } from '../card-dialog-props.ts'
import { cardsApi } from '../cards-api.ts'
import { refreshCards, updateCachedCard } from '../use-cards.ts'

/** Dialog to close a card permanently, at its member's wish. */
export const CloseDialog = (props: CardDialogProps) => <EndDialog key={`${props.card.id} ${props.open}`} {...props} reason="user" />

/** Dialog for a lost card, which is closed at once because its number may be stolen. */
export const LostDialog = (props: CardDialogProps) => <EndDialog key={`${props.card.id} ${props.open}`} {...props} reason="lost" />

function EndDialog({ card, open, onClose, reason }: CardDialogProps & { readonly reason: 'user' | 'lost' }) {
  const t = useTexts(cardTexts)
  const id = useId()
  const [agreed, setAgreed] = useState(false)
  const [missed, setMissed] = useState(false)
  const { run, isRunning, failure } = useSubmit()
  const held = parseUsd(card.reserved) > 0n
  const submit = () => {
    if (!agreed) return setMissed(true)
    void run(async () => {
      const payPassword = await requestPayPassword()
      if (payPassword === undefined) return
      updateCachedCard(await cardsApi.closeCard({ id: card.id, reason, payPassword }))
      refreshCards({ money: true })
      toast.success(t('closeDone'))
      onClose()
    })
  }
  const facts = [
    t('closeRest', { amount: displayUsd(card.available) }),
    t('closeSubscriptions'),
    held ? t('closeHeld', { amount: displayUsd(card.reserved) }) : '',
    t('closeRefunds'),
  ]
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      title={t(reason === 'lost' ? 'lostTitle' : 'closeTitle', { last4: card.last4 })}
      description={t(reason === 'lost' ? 'lostAbout' : 'closeAbout')}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('keepCard')}
          </Button>
          <Button variant="danger" loading={isRunning} onClick={submit}>
            {t(reason === 'lost' ? 'lostDo' : 'closeCard')}
          </Button>
        </>
      }
    >
      <ul id={id} className="grid list-disc gap-1.5 pl-5 text-14 text-fg-2">
        {facts.filter(Boolean).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <CheckboxField
        className="mt-3 mb-2"
        label={t('closeAgree')}
        checked={agreed}
        error={missed && !agreed ? t('closeAgreeFirst') : undefined}
        onChange={(event) => setAgreed(event.target.checked)}
      />
      {failure ? (
        <AlertBox kind="error" className="mb-4">
          {isApiError(failure) ? failure.message : t('notDone')}
        </AlertBox>
      ) : null}
    </Dialog>
  )
}
