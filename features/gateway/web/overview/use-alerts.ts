import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type FormEvent } from 'react'
import { usdAmount } from '#platform/shared/contract.ts'
import { showUsd } from '#platform/shared/show-money.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { withStepUp } from '#platform/web/calls/step-up.ts'
import { toast } from '#ui/layers/toast.ts'
import { gatewayTexts } from '../../texts.ts'
import { alertsApi } from '../gateway-api.ts'

const QUERY_KEY = ['gateway', 'alerts']

/** The settings of alerts, their form and its sending. */
export function useAlerts() {
  const t = useTexts(gatewayTexts)
  const client = useQueryClient()
  const settings = useQuery({ queryKey: QUERY_KEY, queryFn: ({ signal }) => alertsApi.alerts({}, { signal }) })
  const [low, setLow] = useState('')
  const [hook, setHook] = useState('')
  const [wrong, setWrong] = useState<{ low?: string; hook?: string }>({})
  const [busy, setBusy] = useState(false)
  const [secret, setSecret] = useState<string>()
  const saved = settings.data
  const savedLow = saved?.lowBalance ?? null
  const savedHook = saved?.webhookUrl ?? ''
  useEffect(() => {
    setLow(savedLow === null ? '' : showUsd(savedLow).replaceAll(',', ''))
    setHook(savedHook)
  }, [savedLow, savedHook])

  const act = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
      await client.invalidateQueries({ queryKey: QUERY_KEY })
    } catch (error) {
      setWrong({ hook: isApiError(error) ? error.message : String(error) })
    } finally {
      setBusy(false)
    }
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (low.trim() !== '' && !usdAmount.safeParse(low.trim()).success) return setWrong({ low: t('alertLowBad') })
    setWrong({})
    void act(async () => {
      const input = { lowBalance: low.trim() || null, webhookUrl: hook.trim() || null }
      const made = await withStepUp(() => alertsApi.saveAlerts(input))
      if (!made) return
      toast.success(t('alertsSaved'))
      if (made.webhookSecret !== null) setSecret(made.webhookSecret)
    })
  }
  const test = () =>
    void act(async () => {
      await alertsApi.testWebhook({})
      toast.success(t('alertTestSent'))
    })

  return { settings, saved, low, setLow, hook, setHook, wrong, busy, save, test, secret, forgetSecret: () => setSecret(undefined) }
}
