import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useState, type FormEvent } from 'react'
import { isApiError, isUncertain } from '#platform/web/calls/api-error.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { randomKey } from '#platform/web/calls/idempotency.ts'
import { withStepUp } from '#platform/web/state/step-up.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import { keyName } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'
import { gatewayApi } from '../gateway-api.ts'
import { useKeyDialogs } from './key-dialogs.ts'
import { LimitsFields } from './limits-fields.tsx'
import { NO_LIMITS, formOf, isSame, limitsOf } from './limits-form.ts'
import type { LimitsField } from './limits-form.ts'
import { useKeysChanged } from '../queries.ts'

/** Creates a key, or changes its name and limits. Pressed again after a lost reply, it asks for the same key. */
export function KeyDialog({ balance }: { readonly balance: string | undefined }) {
  const t = useTexts(gatewayTexts)
  const { creating, renaming, show, close } = useKeyDialogs()
  const changed = useKeysChanged()
  const form = useId()
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [limits, setLimits] = useState(NO_LIMITS)
  const [wrong, setWrong] = useState<{ field: LimitsField; message: string }>()
  const [unfolded, setUnfolded] = useState(false)
  const [busy, setBusy] = useState(false)
  const [requestKey, setRequestKey] = useState(randomKey)
  const open = creating || renaming !== undefined
  useEffect(() => {
    if (!open) return
    setName(renaming?.keyName ?? t('keyNameNew'))
    setError(undefined)
    setLimits(formOf(renaming?.limits ?? null))
    setWrong(undefined)
    setUnfolded(renaming !== undefined)
    setRequestKey(randomKey())
  }, [open, renaming, t])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const parsed = keyName.safeParse(name)
    if (!parsed.success) return setError(t('keyNameBad'))
    const sent = limitsOf(limits, renaming?.limits ?? null)
    if ('wrong' in sent) {
      setUnfolded(true)
      setWrong({ field: sent.wrong, message: sent.word === undefined ? t(`limitBad_${sent.wrong}`) : t('limitBadWord', { word: sent.word }) })
      return
    }
    setBusy(true)
    try {
      if (renaming) {
        const input = { keyId: renaming.keyId, keyName: parsed.data, limits: sent.limits }
        if (!(await withStepUp(() => gatewayApi.updateKey(input)))) return
        close()
        toast.success(t('keyChanged'))
      } else {
        const input = { keyName: parsed.data, requestKey, ...(limits === NO_LIMITS ? {} : { limits: sent.limits }) }
        const made = await withStepUp(() => gatewayApi.generateKey(input))
        if (!made) return
        show({ apiToken: made.apiToken, keyName: made.keyName })
      }
      await changed()
    } catch (failure) {
      if (!isUncertain(failure)) setRequestKey(randomKey())
      if (isApiError(failure) && failure.errorName === 'KEY_MODEL_UNKNOWN') setWrong({ field: 'models', message: failure.message })
      else if (isApiError(failure) && failure.errorName === 'KEY_EXPIRY_PAST') setWrong({ field: 'lastDay', message: failure.message })
      else setError(isApiError(failure) ? failure.message : String(failure))
    } finally {
      setBusy(false)
    }
  }
  const broke = creating && balance !== undefined && !/[1-9]/.test(balance)
  if (broke) {
    return (
      <Dialog
        open
        onClose={close}
        size="sm"
        title={t('needBalanceTitle')}
        description={t('needBalanceBody')}
        footer={
          <>
            <Button variant="secondary" onClick={close}>
              {t('cancel')}
            </Button>
            <Button
              onClick={() => {
                close()
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
  return (
    <Dialog
      open={open}
      onClose={close}
      size="md"
      title={renaming ? t('editKeyTitle') : t('createKey')}
      initialFocus={() => document.getElementById(form)?.querySelector('input') ?? true}
      footer={
        <>
          <Button variant="secondary" onClick={close}>
            {t('cancel')}
          </Button>
          <Button type="submit" form={form} loading={busy}>
            {renaming ? t('save') : t('create')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)} noValidate className="grid grid-cols-1 gap-5">
        <TextField
          label={t('keyNameLabel')}
          hint={t('keyNameHint')}
          error={error}
          value={name}
          maxLength={60}
          autoComplete="off"
          required
          onChange={(event) => {
            setName(event.target.value)
            setError(undefined)
          }}
        />
        <div className="border-t border-dashed border-line pt-4">
          <button
            type="button"
            aria-expanded={unfolded}
            aria-controls={`${form}-limits`}
            onClick={() => setUnfolded(!unfolded)}
            className="-my-2 flex w-full items-center justify-between gap-3 rounded-control py-2 text-left text-14 font-medium mobile:min-h-[44px]"
          >
            <span>
              {t('limitsTitle')}
              <span className="ml-2 font-normal text-fg-3">{t(isSame(limits, NO_LIMITS) ? 'limitsNone' : 'limitsSome')}</span>
            </span>
            <ChevronDown
              size={16}
              strokeWidth={1.75}
              aria-hidden="true"
              className={`shrink-0 text-fg-2 transition-transform ${unfolded ? 'rotate-180' : ''}`}
            />
          </button>
          <div id={`${form}-limits`} hidden={!unfolded} className="pt-4">
            <LimitsFields
              form={limits}
              wrong={wrong}
              onChange={(change) => {
                setLimits({ ...limits, ...change })
                setWrong(undefined)
              }}
            />
          </div>
        </div>
      </form>
    </Dialog>
  )
}
