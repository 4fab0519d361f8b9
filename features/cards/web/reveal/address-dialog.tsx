import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useFields } from '#platform/web/use-fields.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { toast } from '#ui/layers/toast.ts'
import type { CardDialogProps } from '../card-dialog-props.ts'
import { cardTexts } from '../../texts.ts'
import { cardsApi } from '../cards-api.ts'
import { refreshCards, updateCachedCard } from '../use-cards.ts'

const FORM = 'card-address'

/** Dialog with the billing address held by the issuer, which checkouts compare to the letter. */
export function AddressDialog({ card, open, onClose }: CardDialogProps) {
  const t = useTexts(cardTexts)
  const { run, isRunning, failure } = useSubmit()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('changeAddress')}
      description={t('addressAbout')}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" form={FORM} loading={isRunning}>
            {t('save')}
          </Button>
        </>
      }
    >
      <AddressForm
        key={`${card.id} ${open}`}
        address={card.billingAddress ?? NO_ADDRESS}
        onSave={(address) =>
          void run(async () => {
            updateCachedCard(await cardsApi.cardUpdate({ id: card.id, ...address }))
            refreshCards()
            toast.success(t('addressSaved'))
            onClose()
          })
        }
      />
      {failure ? (
        <AlertBox kind="error" className="mt-4">
          {isApiError(failure) ? failure.message : t('notDone')}
        </AlertBox>
      ) : null}
      <div className="h-4" />
    </Dialog>
  )
}

const NO_ADDRESS = { line1: '', line2: '', city: '', state: '', postalCode: '' }
type Address = Record<'line1' | 'line2' | 'city' | 'state' | 'postalCode', string>

function AddressForm({ address, onSave }: { readonly address: Address; readonly onSave: (address: Address) => void }) {
  const t = useTexts(cardTexts)
  const { line1, line2, city, state, postalCode } = address
  const fields = useFields<Address, 'badLine' | 'badCity' | 'badState' | 'badPostal'>(
    t,
    { line1, line2, city, state, postalCode },
    {
      rules: {
        line1: ({ line1: text }) => (isLatin(text, 3, 200) ? undefined : 'badLine'),
        line2: ({ line2: text }) => (text === '' || isLatin(text, 1, 200) ? undefined : 'badLine'),
        city: ({ city: text }) => (isLatin(text, 2, 100) ? undefined : 'badCity'),
        state: ({ state: text }) => (isLatin(text, 2, 100) ? undefined : 'badState'),
        postalCode: ({ postalCode: text }) => (/^(\d{6}|\d{5}(-\d{4})?)$/.test(text.trim()) ? undefined : 'badPostal'),
      },
    },
  )
  const text = (name: keyof Address) => {
    const { value, onChange, error } = fields.bind(name)
    return { value, error, onChange: (event: { target: { value: string } }) => onChange(event.target.value), autoComplete: 'off', spellCheck: false } as const
  }
  return (
    <form id={FORM} {...fields.form} onSubmit={fields.submit(onSave)} className="grid gap-4 desktop:grid-cols-6">
      <TextField fieldClassName="desktop:col-span-6" label={t('line1')} {...text('line1')} />
      <TextField fieldClassName="desktop:col-span-6" label={t('line2')} {...text('line2')} />
      <TextField fieldClassName="desktop:col-span-2" label={t('city')} {...text('city')} />
      <TextField fieldClassName="desktop:col-span-2" label={t('stateName')} {...text('state')} />
      <TextField fieldClassName="desktop:col-span-2" label={t('postal')} inputMode="numeric" className="num" {...text('postalCode')} />
    </form>
  )
}

/** Issuers and checkouts take Latin letters, digits and the usual signs only. */
function isLatin(text: string, least: number, most: number): boolean {
  const clean = text.trim()
  return clean.length >= least && clean.length <= most && /^[\x20-\x7e]+$/.test(clean)
}
