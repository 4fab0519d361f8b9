import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { gatewayTexts } from '../../texts.ts'
import { useKeyDialogs } from './key-dialogs.ts'
import { LimitsFields } from './limits-fields.tsx'
import { EMPTY_LIMITS_FORM, isSameLimitsForm } from './limits-form.ts'
import { useKeyForm } from './use-key-form.ts'

/** Creates a key, or changes its name and limits. */
export function KeyDialog({ balance }: { readonly balance: string | undefined }) {
  const t = useTexts(gatewayTexts)
  const { creating, renaming, close } = useKeyDialogs()
  const form = useKeyForm()
  const id = useId()
  if (creating && balance !== undefined && !/[1-9]/.test(balance)) return <NeedBalance onClose={close} />
  return (
    <Dialog
      open={creating || renaming !== undefined}
      onClose={close}
      size="md"
      title={renaming ? t('editKeyTitle') : t('createKey')}
      initialFocus={() => document.getElementById(id)?.querySelector('input') ?? true}
      footer={
        <>
          <Button variant="secondary" onClick={close}>
            {t('cancel')}
          </Button>
          <Button type="submit" form={id} loading={form.busy}>
            {renaming ? t('save') : t('create')}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={(event) => void form.submit(event)} noValidate className="grid grid-cols-1 gap-5">
        <TextField
          label={t('keyNameLabel')}
          hint={t('keyNameHint')}
          error={form.error}
          value={form.name}
          maxLength={60}
          autoComplete="off"
          required
          onChange={(event) => form.rename(event.target.value)}
        />
        <Limits id={`${id}-limits`} form={form} />
      </form>
    </Dialog>
  )
}

/** The limits behind a fold: most keys have none. */
function Limits({ id, form }: { readonly id: string; readonly form: ReturnType<typeof useKeyForm> }) {
  const t = useTexts(gatewayTexts)
  return (
    <div className="border-t border-dashed border-line pt-4">
      <button
        type="button"
        aria-expanded={form.unfolded}
        aria-controls={id}
        onClick={form.fold}
        className="-my-2 flex w-full items-center justify-between gap-3 rounded-control py-2 text-left text-14 font-medium mobile:min-h-[44px]"
      >
        <span>
          {t('limitsTitle')}
          <span className="ml-2 font-normal text-fg-3">{t(isSameLimitsForm(form.limits, EMPTY_LIMITS_FORM) ? 'limitsNone' : 'limitsSome')}</span>
        </span>
        <ChevronDown
          size={16}
          strokeWidth={1.75}
          aria-hidden="true"
          className={`shrink-0 text-fg-2 transition-transform ${form.unfolded ? 'rotate-180' : ''}`}
        />
      </button>
      <div id={id} hidden={!form.unfolded} className="pt-4">
        <LimitsFields form={form.limits} wrong={form.wrong} onChange={form.limit} />
      </div>
    </div>
  )
}

/** Without money a key calls nothing. */
function NeedBalance({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(gatewayTexts)
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title={t('needBalanceTitle')}
      description={t('needBalanceBody')}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            onClick={() => {
              onClose()
              openDialog('recharge')
            }}
          >
            {t('goRecharge')}
          </Button>
        </>
      }
    />
  )
}
