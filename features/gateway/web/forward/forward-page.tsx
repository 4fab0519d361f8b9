import { Link } from '@tanstack/react-router'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { createApi } from '#platform/web/calls/api.ts'
import { isApiError, isUncertain } from '#platform/web/calls/api-error.ts'
import { createRandomKey } from '#platform/web/calls/idempotency.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { withStepUp } from '#platform/web/calls/step-up.ts'
import { displayTime } from '#platform/web/time.tsx'
import { useTitle } from '#platform/web/title.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { gatewayErrors } from '../../contract.ts'
import { forwardContract } from '../../contract-forward.ts'
import { forwardTexts } from '../../texts-forward.ts'
import { gatewayTexts } from '../../texts.ts'

const FORWARD_FOR_TEXT = { openai: 'forwardFor_openai', claude: 'forwardFor_claude', gemini: 'forwardFor_gemini' } as const

const api = createApi(forwardContract, { errors: gatewayErrors, texts: gatewayTexts })
type Forward = ReplyOf<(typeof forwardContract)['gptForwardGet']>
const FAMILIES = ['openai', 'claude', 'gemini'] as const
const QUERY = ['gateway', 'forward'] as const

/** The page at /api-forwards: a base URL and a key, for clients that accept only those two. */
export function ForwardPage() {
  const t = useTexts(forwardTexts)
  useTitle(t('forwardTitle'))
  const forward = useQuery({ queryKey: QUERY, queryFn: ({ signal }) => api.gptForwardGet({}, { signal }) })
  return (
    <section aria-labelledby="forward-title" className="max-w-[760px]">
      <h1 id="forward-title" className="text-20 font-bold">
        {t('forwardTitle')}
      </h1>
      <p className="mt-1 max-w-[42em] text-14 text-fg-2">{t('forwardLead')}</p>
      {forward.isError && !forward.data ? (
        <div className="mt-6">
          <ErrorState error={forward.error} title={t('forwardFailed')} onRetry={() => void forward.refetch()} />
        </div>
      ) : forward.data ? (
        <ForwardValues forward={forward.data} />
      ) : (
        <Skeleton className="mt-6 h-72" />
      )}
    </section>
  )
}

function ForwardValues({ forward }: { readonly forward: Forward }) {
  const t = useTexts(forwardTexts)
  return (
    <>
      <div className="card mt-6 p-6 mobile:p-5">
        <h2 className="text-16 font-semibold">{t('forwardBase')}</h2>
        <dl className="mt-2">
          {FAMILIES.map((family) => (
            <div key={family} className="grid items-center gap-x-4 gap-y-1 border-b border-line py-2.5 last:border-b-0 desktop:grid-cols-[140px_minmax(0,1fr)]">
              <dt className="text-14 text-fg-2">{t(FORWARD_FOR_TEXT[family])}</dt>
              <dd className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-4">
                <span className="font-mono text-14 break-all">{forward.baseUrls[family]}</span>
                <CopyButton text={forward.baseUrls[family]} label={`${t('forwardCopyBase')} · ${t(FORWARD_FOR_TEXT[family])}`} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <KeyCard forwardKey={forward.key} />
      <h2 className="mt-8 text-16 font-semibold">{t('forwardHow')}</h2>
      <ol className="mt-2 list-decimal space-y-1.5 pl-5 text-14 text-fg-2">
        {(['forwardHow1', 'forwardHow2', 'forwardHow3'] as const).map((step) => (
          <li key={step}>{t(step)}</li>
        ))}
      </ol>
      <p className="mt-3 text-14">
        <Link to={'/help/base-urls' as string} className="link">
          {t('forwardHelp')}
        </Link>
      </p>
    </>
  )
}

function KeyCard({ forwardKey }: { readonly forwardKey: Forward['key'] }) {
  const t = useTexts(forwardTexts)
  const { busy, made, failed, apply } = useApply()
  const renewKey = async () => {
    if (await confirm({ title: t('forwardAnewTitle'), body: t('forwardAnewBody'), action: t('forwardAnew') })) await apply()
  }
  return (
    <div className="card mt-4 p-6 mobile:p-5">
      <h2 className="flex flex-wrap items-center gap-3 text-16 font-semibold">
        {t('forwardKey')}
        {forwardKey && !forwardKey.isOn ? <Badge tone="warning">{t('forwardOff')}</Badge> : null}
      </h2>
      {made ? (
        <>
          <p className="mt-2 flex items-start gap-2 text-14 text-warning">
            <TriangleAlert size={16} strokeWidth={1.75} className="mt-[3px] shrink-0" aria-hidden="true" />
            {t('forwardShown')}
          </p>
          <div className="mt-3 flex items-center gap-3 rounded-card border border-line bg-sunken p-4 mobile:flex-col mobile:items-stretch">
            <code className="min-w-0 flex-1 font-mono text-14 break-all whitespace-normal select-all" aria-label={t('forwardKey')}>
              {made}
            </code>
            <CopyButton text={made} label={t('forwardCopyKey')} variant="primary" size="md" />
          </div>
        </>
      ) : forwardKey ? (
        <p className="mt-2 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-14">
          <span className="num">{forwardKey.masked}</span>
          <span className="text-13 text-fg-3">
            {forwardKey.lastUseTime ? t('forwardUsed', { time: displayTime(forwardKey.lastUseTime) }) : t('forwardNever')}
          </span>
        </p>
      ) : (
        <p className="mt-2 text-14 text-fg-2">{t('forwardNoneBody')}</p>
      )}
      {forwardKey?.oldEndsTime ? <p className="mt-1 text-13 text-fg-3">{t('forwardOldUntil', { time: displayTime(forwardKey.oldEndsTime) })}</p> : null}
      {failed ? (
        <AlertBox
          kind="error"
          className="mt-4"
          action={
            failed.errorName === 'KEY_NEEDS_BALANCE' ? (
              <Button size="sm" onClick={() => openDialog('recharge')}>
                {t('forwardTopUp')}
              </Button>
            ) : undefined
          }
        >
          {failed.message}
        </AlertBox>
      ) : null}
      <p className="mt-5 flex flex-wrap items-center gap-4">
        {forwardKey ? (
          <>
            <Button variant="secondary" loading={busy} disabled={forwardKey.oldEndsTime !== null} onClick={() => void renewKey()}>
              {t('forwardAnew')}
            </Button>
            <Link to="/api" search={{ tab: 'keys', key: forwardKey.keyId }} className="link text-14">
              {t('forwardLimits')}
            </Link>
          </>
        ) : (
          <Button variant={failed ? 'secondary' : 'primary'} loading={busy} onClick={() => void apply()}>
            {t('forwardMake')}
          </Button>
        )}
      </p>
    </div>
  )
}

/** Requests the key. A retry after a lost reply is the same request and returns the same key. */
function useApply() {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [made, setMade] = useState<string>()
  const [failed, setFailed] = useState<{ message: string; errorName?: string | undefined }>()
  const [requestKey, setRequestKey] = useState(createRandomKey)
  const apply = async () => {
    setBusy(true)
    setFailed(undefined)
    try {
      const reply = await withStepUp(() => api.gptForwardApply({ requestKey }))
      if (!reply) return
      setMade(reply.apiKey)
      setRequestKey(createRandomKey())
      await client.invalidateQueries({ queryKey: ['gateway'] })
    } catch (error) {
      if (!isUncertain(error)) setRequestKey(createRandomKey())
      setFailed(isApiError(error) ? error : { message: String(error) })
    } finally {
      setBusy(false)
    }
  }
  return { busy, made, failed, apply }
}
