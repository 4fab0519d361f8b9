import { useEffect, useState, type FormEvent } from 'react'
import { isApiError, isUncertain } from '#platform/web/calls/api-error.ts'
import { createRandomKey } from '#platform/web/calls/idempotency.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { withStepUp } from '#platform/web/calls/step-up.ts'
import { toast } from '#ui/layers/toast.ts'
import { keyName } from '../../contract.ts'
import { gatewayTexts } from '../../texts.ts'
import { gatewayApi } from '../gateway-api.ts'
import { useKeyDialogs } from './key-dialogs.ts'
import { EMPTY_LIMITS_FORM, toLimitsForm, parseLimitsForm } from './limits-form.ts'
import type { LimitsField } from './limits-form.ts'
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

/** State and submission of the key form. A retry after a lost reply creates no second key. */
export function useKeyForm() {
  const t = useTexts(gatewayTexts)
  const { creating, renaming, show, close } = useKeyDialogs()
  const changed = useKeysChanged()
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [limits, setLimits] = useState(EMPTY_LIMITS_FORM)
  const [wrong, setWrong] = useState<{ field: LimitsField; message: string }>()
  const [unfolded, setUnfolded] = useState(false)
  const [busy, setBusy] = useState(false)
  const [requestKey, setRequestKey] = useState(createRandomKey)
  useEffect(() => {
    if (!creating && renaming === undefined) return
    setName(renaming?.keyName ?? t('keyNameNew'))
    setError(undefined)
    setLimits(toLimitsForm(renaming?.limits ?? null))
    setWrong(undefined)
    setUnfolded(renaming !== undefined)
    setRequestKey(createRandomKey())
  }, [creating, renaming, t])

  const send = async (named: string, sent: Extract<ReturnType<typeof parseLimitsForm>, { limits: unknown }>) => {
    if (renaming) {
      const input = { keyId: renaming.keyId, keyName: named, limits: sent.limits }
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
    const sent = parseLimitsForm(limits, renaming?.limits ?? null)
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
