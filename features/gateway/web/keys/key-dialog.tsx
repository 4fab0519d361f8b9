import { ChevronDown } from 'lucide-react'
import { useId, useEffect, useState } from 'react'
import type { FormEvent } from 'react'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { gatewayTexts } from '../../texts.ts'
import { useKeyDialogs } from './key-dialogs.ts'
import { LimitsFields } from './limits-fields.tsx'
import { EMPTY_LIMITS_FORM, isSameLimitsForm, toLimitsForm, parseLimitsForm } from './limits-form.ts'
import type { LimitsField } from './limits-form.ts'
import { isApiError, isUncertain } from '#platform/web/calls/api-error.ts'
import { createRandomKey } from '#platform/web/calls/idempotency.ts'
import { withStepUp } from '#platform/web/calls/step-up.ts'
import { toast } from '#ui/layers/toast.ts'
import { keyName } from '../../contract.ts'
import { gatewayApi } from '../gateway-api.ts'
import { useKeysChanged } from '../queries.ts'

const LIMIT_BAD_TEXT = {
  dayBudget: 'limitBad_dayBudget',
  monthBudget: 'limitBad_monthBudget',
  requestsPerMinute: 'limitBad_requestsPerMinute',
  tokensPerMinute: 'limitBad_tokensPerMinute',
  concurrency: 'limitBad_concurrency',
  lastDay: 'limitBad_lastDay',
  models: 'limitBad_models',
  networks: 'limitBad_networks',
  onDisconnect: 'limitBad_onDisconnect',
} as const

/** State and submission of the key form. A retry after a lost reply does not create a second key. */
function useKeyForm() {
  const t = useTexts(gatewayTexts)
  const { creating, editing, show, close } = useKeyDialogs()
  const changed = useKeysChanged()
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [limits, setLimits] = useState(EMPTY_LIMITS_FORM)
  const [wrong, setWrong] = useState<{ field: LimitsField; message: string }>()
  const [unfolded, setUnfolded] = useState(false)
  const [busy, setBusy] = useState(false)
  const [requestKey, setRequestKey] = useState(createRandomKey)
  useEffect(() => {
    if (!creating && editing === undefined) return
    setName(editing?.keyName ?? t('keyNameNew'))
    setError(undefined)
    setLimits(toLimitsForm(editing?.limits ?? null))
    setWrong(undefined)
    setUnfolded(editing !== undefined)
    setRequestKey(createRandomKey())
  }, [creating, editing, t])

  const send = async (named: string, sent: Extract<ReturnType<typeof parseLimitsForm>, { limits: unknown }>) => {
    if (editing) {
      const input = { keyId: editing.keyId, keyName: named, limits: sent.limits }
      if (!(await withStepUp(() => gatewayApi.updateKey(input)))) return
      close()
      toast.success(t('keyChanged'))
    } else {
      const input = { keyName: named, requestKey, ...(limits === EMPTY_LIMITS_FORM ? {} : { limits: sent.limits }) }
      const made = await withStepUp(() => gatewayApi.generateKey(input))
      if (!made) return
      show({ apiToken: made.apiToken, keyName: made.keyName })
    }
    await changed()
  }
  const failed = (failure: unknown) => {
    if (!isUncertain(failure)) setRequestKey(createRandomKey())
    if (isApiError(failure) && failure.errorName === 'KEY_MODEL_UNKNOWN') setWrong({ field: 'models', message: failure.message })
    else if (isApiError(failure) && failure.errorName === 'KEY_EXPIRY_PAST') setWrong({ field: 'lastDay', message: failure.message })
    else setError(isApiError(failure) ? failure.message : String(failure))
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const parsed = keyName.safeParse(name)
    if (!parsed.success) return setError(t('keyNameBad'))
    const sent = parseLimitsForm(limits, editing?.limits ?? null)
    if ('wrong' in sent) {
      setUnfolded(true)
      setWrong({ field: sent.wrong, message: sent.word === undefined ? t(LIMIT_BAD_TEXT[sent.wrong]) : t('limitBadWord', { word: sent.word }) })
      return
    }
    setBusy(true)
    try {
      await send(parsed.data, sent)
    } catch (failure) {
      failed(failure)
    } finally {
      setBusy(false)
    }
  }

  return {
    name,
    error,
    rename: (next: string) => {
      setName(next)
      setError(undefined)
    },
    limits,
    wrong,
    limit: (change: Partial<typeof limits>) => {
      setLimits({ ...limits, ...change })
      setWrong(undefined)
    },
    unfolded,
    fold: () => setUnfolded(!unfolded),
    busy,
    submit,
  }
}

/** Creates a key, or changes its name and limits. */
export function KeyDialog({ balance }: { readonly balance: string | undefined }) {
  const t = useTexts(gatewayTexts)
  const { creating, editing, close } = useKeyDialogs()
  const form = useKeyForm()
  const id = useId()
  if (creating && balance !== undefined && !/[1-9]/.test(balance)) return <NeedBalance onClose={close} />
  return (
    <Dialog
      open={creating || editing !== undefined}
      onClose={close}
      size="md"
      title={editing ? t('editKeyTitle') : t('createKey')}
      initialFocus={() => document.getElementById(id)?.querySelector('input') ?? true}
      footer={
        <>
          <Button variant="secondary" onClick={close}>
            {t('cancel')}
          </Button>
          <Button type="submit" form={id} loading={form.busy}>
            {editing ? t('save') : t('create')}
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

/** The collapsed limits section: most keys have none. */
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

/** Shown without a balance, because a key cannot make calls then. */
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
