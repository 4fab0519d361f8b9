import { useState } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import type { Customer } from './customer.ts'
import { customersApi } from './customers-api.ts'
import { customerTexts } from './texts.ts'

const MIN_REASON_LENGTH = 10

/** Reveals one contact for a stated reason, counted towards the daily limit; closing the dialog discards it. */
export function RevealDialog({ customer, onClose }: { readonly customer: Pick<Customer, 'userId' | 'email' | 'mobile'>; readonly onClose: () => void }) {
  const t = useTexts(customerTexts)
  const [what, setWhat] = useState<'email' | 'mobile'>(customer.mobile ? 'mobile' : 'email')
  const [reason, setReason] = useState('')
  const [shown, setShown] = useState<{ readonly value: string; readonly left: number }>()
  const { run, isRunning, failure } = useSubmit()
  const reveal = () =>
    void run(async () => {
      const { value, leftToday } = await customersApi.reveal({ userId: customer.userId, what, reason: reason.trim() })
      setShown({ value: value ?? '—', left: leftToday })
    })
  return (
    <Dialog
      open
      size="sm"
      onClose={onClose}
      title={t('revealTitle')}
      description={t('revealAbout')}
      footer={
        shown ? undefined : (
          <Button size="lg" type="submit" form="reveal" loading={isRunning} disabled={reason.trim().length < MIN_REASON_LENGTH}>
            {t('revealDo')}
          </Button>
        )
      }
    >
      {shown ? (
        <div role="status">
          <p className="num flex items-center gap-2 text-16 font-semibold">
            {shown.value}
            <CopyButton iconOnly text={shown.value} />
          </p>
          <p className="mt-1 text-12 text-fg-3">{t('revealLeft', { n: shown.left })}</p>
        </div>
      ) : (
        <form
          id="reveal"
          className="grid grid-cols-1 gap-3 pb-2"
          onSubmit={(event) => {
            event.preventDefault()
            reveal()
          }}
        >
          <Segmented
            label={t('revealWhat')}
            value={what}
            onChange={setWhat}
            items={[
              ...(customer.mobile ? [{ value: 'mobile' as const, label: t('revealMobile') }] : []),
              ...(customer.email ? [{ value: 'email' as const, label: t('revealEmail') }] : []),
            ]}
          />
          <TextField
            label={t('reason')}
            hint={t('reasonHint')}
            error={failure?.message}
            value={reason}
            maxLength={500}
            autoComplete="off"
            onChange={(event) => setReason(event.target.value)}
          />
        </form>
      )}
    </Dialog>
  )
}
